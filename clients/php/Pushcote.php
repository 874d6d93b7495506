<?php

declare(strict_types=1);

/**
 * Pushcote in PHP tests: simulated devices, pushes, waits and assertions. Copy this file into your project.
 *
 *     $pushcote = Pushcote::start();
 *     $phone = $pushcote->device();
 *     $token = $phone->register('com.example.app');    // your back end pushes to the token
 *     $phone->wait('title~Order');
 *     $pushcote->stop();
 *
 * It needs PHP 8.1 with allow_url_fopen and nothing else. Conditions are those of Pushcote's docs/queries.md; objects
 * have the members of docs/admin-api.md. A duration is a text such as '5s' or 'PT1H', or a number of seconds.
 */
final class Pushcote
{
    /** The gateway answers a wait within 600 seconds. */
    private const TIMEOUT = 630;
    /** Ends with its standard input: the gateway stops even if this process is killed. */
    private const UNTIL_STOPPED = 'printf "%s %s\n" "$PUSHCOTE_ADMIN" "$PUSHCOTE_ADMIN_TOKEN"; exec cat >/dev/null';

    public readonly PushcoteClock $clock;
    /** @var resource|null */
    private $process = null;
    /** @var resource[] */
    private array $pipes = [];

    private function __construct(public string $address, private ?string $token)
    {
        $this->address = preg_replace('#(/api/v1)?/*$#D', '', $address);
        $this->clock = new PushcoteClock($this);
    }

    /**
     * Uses the gateway at an admin address such as http://localhost:8197; by default, PUSHCOTE_ADMIN and
     * PUSHCOTE_ADMIN_TOKEN, which `pushcote exec` sets.
     */
    public static function connect(?string $address = null, ?string $token = null): self
    {
        $address ??= getenv('PUSHCOTE_ADMIN') ?: 'http://localhost:8197';
        $pushcote = new self($address, $token ?? (getenv('PUSHCOTE_ADMIN_TOKEN') ?: null));
        $info = $pushcote->call('GET', '/info');
        return isset($info['addresses']) ? $pushcote : throw $pushcote->foreign($info);
    }

    /**
     * Starts a gateway on free ports, with settings such as 'auth.mode=strict'. The program is PUSHCOTE in the
     * environment, else pushcote in PATH.
     */
    public static function start(string ...$settings): self
    {
        $command = [getenv('PUSHCOTE') ?: 'pushcote', 'exec'];
        foreach ($settings as $setting) {
            array_push($command, '--set', $setting);
        }
        array_push($command, '--', 'sh', '-c', self::UNTIL_STOPPED);
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], $log = tmpfile()], $pipes);
        [$address, $token] = explode(' ', rtrim((string) fgets($pipes[1]), "\n") ?: ' ', 2);
        $pushcote = new self($address, $token ?: null);
        [$pushcote->process, $pushcote->pipes] = [$process, [...$pipes, 2 => $log]];
        if ($address === '') {
            $pushcote->stop();
            throw new PushcoteException('The gateway has no admin address.');
        }
        return $pushcote;
    }

    /** Stops a gateway that `start` started; the exception of a failed one has its log. */
    public function stop(): void
    {
        if ($this->process === null) {
            return;
        }
        [$input, $output, $log] = $this->pipes;
        fclose($input);
        fclose($output);
        $status = proc_close($this->process);
        $this->process = null;
        if ($status !== 0) {
            rewind($log);
            $remedy = $status === 127 ? ' Set PUSHCOTE to the program.' : '';
            throw new PushcoteException("The gateway ended with status $status.$remedy\n" . stream_get_contents($log));
        }
    }

    /** Addresses, key and counts of the gateway: info()['addresses']['provider'][0] is for your back end. */
    public function info(): array
    {
        return $this->call('GET', '/info');
    }

    /** The certificate authority that your back end must trust, as PEM. */
    public function ca(): string
    {
        return $this->call('GET', '/ca.pem');
    }

    /** The provider API for your back end: https://localhost:PORT. */
    public function provider(): string
    {
        return "https://{$this->host()}:{$this->port()}";
    }

    /** The provider API's host: localhost on this machine, which the certificate names. */
    public function host(): string
    {
        return preg_replace('/^(127\..*|\[::1\])$/', 'localhost', (string) parse_url($this->address, PHP_URL_HOST));
    }

    /** The provider API's port. */
    public function port(): int
    {
        return (int) substr(strrchr($this->info()['addresses']['provider'][0], ':'), 1);
    }

    /** The file of ca(), on the gateway's machine. */
    public function authorityFile(): string
    {
        return $this->file('PUSHCOTE_RUN_CA', $this->info()['certificate']['caFile']);
    }

    /** The file of the key that the gateway accepts (.p8), on the gateway's machine. */
    public function keyFile(): string
    {
        return $this->file('PUSHCOTE_RUN_KEY', $this->info()['demonstrationKey']['file']);
    }

    /** The key's identifier, as Apple's developer account shows it. */
    public function keyId(): string
    {
        return $this->info()['demonstrationKey']['keyId'];
    }

    /** The team's identifier. */
    public function teamId(): string
    {
        return $this->info()['demonstrationKey']['teamId'];
    }

    private function file(string $variable, string $path): string
    {
        // `pushcote exec` may have been started in another folder than the test.
        $file = ($this->address === getenv('PUSHCOTE_ADMIN') ? getenv($variable) : '') ?: $path;
        return str_starts_with($file, '/') ? $file : getcwd() . "/$file";
    }

    /** A provider token for the header `authorization: bearer …`, which the gateway signs now with its key. */
    public function providerToken(): string
    {
        return $this->call('POST', '/provider-tokens', [], (object) [])['token'];
    }

    /** Makes a device, with a unique name unless given, and conditions such as ['isOnline' => false]. */
    public function device(?string $name = null, array $conditions = []): PushcoteDevice
    {
        $name ??= 'device-' . bin2hex(random_bytes(6));
        $this->call('PUT', '/devices/{name}', [$name], (object) $conditions);
        return new PushcoteDevice($this, $name);
    }

    /**
     * Asserts that the right notifications, requests or events arrived; the answer of POST /verify. $expectation has
     * count, never, within, order, of, device, since and clock. $where is null only with order or never.
     *
     * @throws PushcoteVerificationError with the nearest misses if they did not arrive
     */
    public function verify(string|array|null $where, array $expectation = []): array
    {
        $isWithout = $where === null && (isset($expectation['order']) || ($expectation['never'] ?? false));
        $body = [...($isWithout ? [] : ['where' => $where]), ...$expectation];
        self::check($body);
        $body = isset($body['within']) ? [...$body, 'within' => self::duration($body['within'])] : $body;
        $verdict = $this->call('POST', '/verify', [], $body, accept: 406);
        if (!$verdict['verified']) {
            throw new PushcoteVerificationError($verdict['report']);
        }
        // PHPUnit marks a test without assertions as risky.
        if (class_exists(\PHPUnit\Framework\Assert::class)) {
            \PHPUnit\Framework\Assert::assertTrue(true);
        }
        return $verdict;
    }

    /** The first 100 that devices received: notifications(['where' => 'badge>2', 'limit' => 1000]). */
    public function notifications(array $filters = []): array
    {
        return $this->call('GET', '/notifications', query: $filters)['notifications'];
    }

    /** Everything about a notification. */
    public function notification(int $id): array
    {
        return $this->call('GET', '/notifications/{id}', [$id]);
    }

    /** Why the device showed a notification as it did, in sentences. */
    public function explain(array|int $notification): string
    {
        $id = is_array($notification) ? $notification['id'] : $notification;
        return $this->call('GET', '/notifications/{id}/explanation', [$id]);
    }

    /** The first 100 requests of providers, with their answers: requests(['reason' => 'BadDeviceToken']). */
    public function requests(array $filters = []): array
    {
        return $this->call('GET', '/requests', query: $filters)['requests'];
    }

    /** Makes the gateway fail while $body runs: fault(['scenario' => 'outage'], fn () => …); what $body returns. */
    public function fault(array $rule, callable $body): mixed
    {
        self::check($rule);
        $names = array_column($this->call('POST', '/faults', [], $rule)['faults'], 'name');
        try {
            $result = $body($names);
        } catch (Throwable $error) {
            try {
                $this->remove($names);
            } catch (PushcoteException) {
                // The test's own error says more.
            }
            throw $error;
        }
        $this->remove($names);
        return $result;
    }

    private function remove(array $faults): void
    {
        foreach ($faults as $name) {
            $this->call('DELETE', '/faults/{name}', [$name]);
        }
    }

    /** Throws for null, without which a condition would match more, and for what JSON would turn into an object. */
    private static function check(array $values, string $path = ''): void
    {
        foreach ($values as $name => $value) {
            if ($value === null) {
                throw new InvalidArgumentException("$path$name is null; give it a value, or leave it out.");
            }
            if (is_array($value) || $value instanceof stdClass) {
                self::check((array) $value, "$path$name.");
            } elseif (!is_scalar($value) && !$value instanceof BackedEnum && !$value instanceof JsonSerializable) {
                $given = get_debug_type($value);
                throw new InvalidArgumentException("$path$name is $given; accepted: texts, numbers, booleans, arrays.");
            }
        }
    }

    /** Removes devices, apps, requests and faults except those to keep: reset('devices'). */
    public function reset(string ...$keep): void
    {
        $this->call('POST', '/reset', [], ['keep' => $keep]);
    }

    /**
     * A call of the admin API: a path of openapi.yaml below /api/v1 and the values for its braces.
     *
     * @return array|string the JSON or text of an answer below 400 or with the status $accept
     */
    public function call(
        string $method,
        string $path,
        array $values = [],
        array|object|null $body = null,
        array $query = [],
        ?int $accept = null,
    ): array|string {
        if (!preg_match('#^https?://([^/:\s]+|\[[^]\s]+])(:\d+)?(/\S*)?$#D', $this->address)) {
            $problem = "The admin address is \"$this->address\"; accepted: one such as http://localhost:8197.";
            throw new PushcoteException($problem);
        }
        self::check($query);
        foreach ($values as $value) {
            $path = preg_replace('/\{\w+\}/', rawurlencode((string) $value), $path, 1);
        }
        $parameters = [];
        foreach ($query as $name => $value) {
            array_push($parameters, ...array_map(fn ($one) => "$name=" . rawurlencode((string) $one), (array) $value));
        }
        $headers = ['Content-Type: application/json', 'Connection: close'];
        if ($this->token !== null) {
            $headers[] = "Authorization: Bearer $this->token";
        }
        $context = stream_context_create(['http' => [
            'method' => $method, 'header' => $headers, 'timeout' => self::TIMEOUT, 'ignore_errors' => true,
            'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        ]]);
        $text = @file_get_contents("$this->address/api/v1$path?" . implode('&', $parameters), false, $context);
        if ($text === false) {
            throw new PushcoteException("No answer from $this->address: " . (error_get_last()['message'] ?? 'unknown'));
        }
        $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
        $isJson = preg_grep('#^content-type: application/json#i', $http_response_header) !== [];
        $content = $isJson ? json_decode($text, true) ?? throw $this->foreign($text, $status) : $text;
        if ($status >= 200 && $status < 400 || $status === $accept) {
            return $content;
        }
        $message = $content['error'] ?? null;
        throw $message ? new PushcoteException($message, $status) : $this->foreign($text, $status);
    }

    private function foreign(array|string $content, int $status = 0): PushcoteException
    {
        $beginning = substr(is_string($content) ? $content : json_encode($content), 0, 200);
        return new PushcoteException("$this->address is not Pushcote's admin API: $beginning", $status);
    }

    /** A duration as the gateway reads it. */
    public static function duration(string|int|float|null $value): ?string
    {
        return is_string($value) || $value === null ? $value : round($value * 1000) . 'ms';
    }
}

/** A simulated device. */
final class PushcoteDevice
{
    public function __construct(public readonly Pushcote $pushcote, public readonly string $name) {}

    /** Registers an app for pushes, for production with ['environment' => 'production']; returns its device token. */
    public function register(string $topic, array $members = []): string
    {
        $body = ['topic' => $topic, ...$members];
        return $this->pushcote->call('POST', '/devices/{name}/registrations', [$this->name], $body)['token'];
    }

    /** Pushes directly, without a provider; returns the notification's number. $query has pushType and others. */
    public function push(string $topic, array $payload, array $query = []): int
    {
        $query = ['topic' => $topic, ...$query];
        return $this->pushcote->call('POST', '/devices/{name}/push', [$this->name], $payload, $query)['id'];
    }

    /** Waits for a notification after number $since that matches, or for any, and returns it. */
    public function wait(string|array $where = [], string|int|float $within = '5s', int $since = 0): array
    {
        $verdict = $this->verify($where, ['within' => $within, 'since' => $since]);
        return $this->pushcote->notification($verdict['matched'][0]);
    }

    /** Pushcote::verify for this device. */
    public function verify(string|array|null $where, array $expectation = []): array
    {
        return $this->pushcote->verify($where, [...$expectation, 'device' => $this->name]);
    }

    /** Changes conditions: patch(['isOnline' => false]); returns the device. */
    public function patch(array $conditions): array
    {
        return $this->pushcote->call('PATCH', '/devices/{name}', [$this->name], (object) $conditions);
    }

    /** Performs an act of a person or an app: act('tap', ['notification' => 1]); returns the events. */
    public function act(string $action, array $members = []): array
    {
        $body = ['action' => $action, ...$members];
        return $this->pushcote->call('POST', '/devices/{name}/actions', [$this->name], $body);
    }
}

/** The clock that the gateway and all its devices share. */
final class PushcoteClock
{
    public function __construct(private Pushcote $pushcote) {}

    /** Stops the clock, at a given time with ['now' => '2027-01-01T09:00:00Z']. */
    public function stop(array $members = []): array
    {
        return $this->pushcote->call('PUT', '/clock', [], ['mode' => 'manual', ...$members]);
    }

    /** Advances the stopped clock; everything due happens before this returns. */
    public function advance(string|int|float $by): array
    {
        return $this->pushcote->call('POST', '/clock/advance', [], ['by' => Pushcote::duration($by)]);
    }

    /** Follows real time again. */
    public function reset(): array
    {
        return $this->pushcote->call('POST', '/clock/reset');
    }
}

/** The gateway rejects a call (the code is the HTTP status) or does not start; the message is the gateway's. */
final class PushcoteException extends RuntimeException {}

// A failed verification, for PHPUnit a failure; its message is the gateway's report with the nearest misses.
if (class_exists(\PHPUnit\Framework\AssertionFailedError::class)) {
    class_alias(\PHPUnit\Framework\AssertionFailedError::class, 'PushcoteVerificationError');
} else {
    class PushcoteVerificationError extends AssertionError {}
}
