<?php

// What every helper can do, in PHP. Run with PUSHCOTE, the program, and PUSHCOTE_ADMIN, a running gateway.

declare(strict_types=1);

set_error_handler(fn ($level, $message) => error_reporting() & $level ? throw new ErrorException($message) : true);
require getenv('HELPER');

const TOPIC = 'com.example.app';

function order(int $number): array
{
    return ['aps' => ['alert' => ['title' => "Order $number"], 'badge' => $number]];
}

function equal(mixed $got, mixed $expected): void
{
    if ($got !== $expected) {
        throw new LogicException(var_export($got, true) . ', expected ' . var_export($expected, true));
    }
}

function fails(string $type, string $words, callable $body): Throwable
{
    try {
        $body();
    } catch (Throwable $failure) {
        equal([$failure instanceof $type, str_contains($failure->getMessage(), $words), $failure->getMessage()],
            [true, true, $failure->getMessage()]);
        return $failure;
    }
    throw new LogicException("no $type");
}

$pushcote = Pushcote::connect();

// A push is awaited, verified and explained.
$phone = $pushcote->device();
$token = $phone->register(TOPIC);
$number = $phone->push(TOPIC, order(7));
$notification = $phone->wait('title=Order 7', within: 20);
equal([$notification['id'], $notification['token']], [$number, $token]);
equal($phone->verify(['badge' => ['>' => 6]], ['count' => 1])['matched'], [$number]);
equal(str_contains($pushcote->explain($notification), 'Order 7'), true);
$found = $pushcote->notifications(['device' => $phone->name, 'where' => ['badge>6', 'title']]);
equal(array_column($found, 'id'), [$number]);
$phone->act('tap', ['notification' => $number]);
$phone->verify('event=response', ['of' => 'events']);
equal(str_contains($pushcote->ca(), 'BEGIN CERTIFICATE'), true);
file_put_contents('members.txt', implode("\n", [
    $pushcote->provider(), $pushcote->host(), $pushcote->port(), $pushcote->authorityFile(), $pushcote->keyFile(),
    $pushcote->keyId(), $pushcote->teamId(), $pushcote->providerToken(),
]));
equal($phone->wait()['id'], $number);

// A failure has the nearest miss.
fails(AssertionError::class, 'expected Order 8, got "Order 7"', fn () => $phone->wait('title=Order 8', 0.05));
fails(PushcoteVerificationError::class, 'expected none', fn () => $phone->verify('title~Order', ['never' => true]));
$phone->push(TOPIC, order(8));
$phone->verify(null, ['order' => ['title=Order 7', 'title=Order 8']]);

// A failure among requests of every kind has a report.
equal(count($pushcote->requests(['device' => 'logged'])) >= 6, true);
fails(PushcoteVerificationError::class, 'reason: expected TopicDisallowed',
    fn () => $pushcote->verify('reason=TopicDisallowed', ['of' => 'requests']));

// An error has the gateway's sentence.
$unknown = fails(PushcoteException::class, "There is no device 'no/body'",
    fn () => (new PushcoteDevice($pushcote, 'no/body'))->verify('title'));
equal($unknown->getCode(), 404);
fails(PushcoteException::class, 'isOnline', fn () => $phone->patch(['isOnlin' => false]));
$addresses = $pushcote->call('GET', '/info')['addresses'];
foreach (['clearText', 'provider'] as $kind) {
    fails(PushcoteException::class, "is not Pushcote's admin API",
        fn () => Pushcote::connect('http://' . $addresses[$kind][0])->call('GET', '/info'));
}

// A fault ends with its function.
$phone = $pushcote->device();
$rule = ['name' => $phone->name, 'match' => ['device' => $phone->name], 'effect' => ['delay' => '1s']];
foreach ([1, 2] as $round) {
    $answer = $pushcote->fault($rule, function (array $names) use ($pushcote, $phone, $rule) {
        equal($names, [$phone->name]);
        $twice = fails(PushcoteException::class, $phone->name, fn () => $pushcote->fault($rule, fn () => null));
        equal($twice->getCode(), 409);
        return 'done';
    });
    equal($answer, 'done');
}
equal($pushcote->requests(['device' => $phone->name]), []);

// The test's error hides that of the end.
$stopped = function (?Throwable $error): void {
    $own = Pushcote::start();
    $own->fault(['effect' => ['delay' => '1s']], fn () => [$own->stop(), $error === null || throw $error]);
};
fails(DomainException::class, 'own', fn () => $stopped(new DomainException('own')));
fails(PushcoteException::class, 'No answer', fn () => $stopped(null));

// null leaves out no condition.
$phone->push(TOPIC, order(7));
foreach ([
    '$where' => fn () => $phone->wait(null), 'where is null' => fn () => $phone->verify(null),
    'where.title is null' => fn () => $phone->wait(['title' => null]),
    'since is null' => fn () => $phone->verify('title', ['since' => null]),
    'count.atMost is null' => fn () => $phone->verify('title', ['count' => ['atMost' => null]]),
    'device is null' => fn () => $pushcote->notifications(['device' => null]),
    'where.1 is null' => fn () => $pushcote->requests(['where' => ['status=200', null]]),
    'match.device is null' => fn () => $pushcote->fault(['match' => ['device' => null], 'effect' => []], fn () => null),
] as $words => $wrong) {
    fails(str_starts_with($words, '$') ? TypeError::class : InvalidArgumentException::class, $words, $wrong);
}

// A value that JSON would turn into an object is named.
foreach ([
    'where.title is Closure' => fn () => $phone->verify(['title' => fn () => 1], ['never' => true]),
    'order.0 is Closure' => fn () => $phone->verify(null, ['order' => [fn () => 1]]),
    'where.receivedAt.> is DateTime' => fn () => $phone->verify(['receivedAt' => ['>' => new DateTime()]]),
    'within is DateInterval' => fn () => $phone->verify('title', ['within' => new DateInterval('PT1S')]),
    'text is Closure' => fn () => $pushcote->notifications(['text' => fn () => 1]),
] as $words => $wrong) {
    fails(InvalidArgumentException::class, "$words; accepted: texts", $wrong);
}
$phone->verify(['title' => (object) ['exists' => true]]);

// An address that is none is named.
foreach (['/', '/api/v1', '/api/v1/'] as $slashes) {
    equal(Pushcote::connect($pushcote->address . $slashes)->address, $pushcote->address);
}
foreach (['', 'localhost:8197', '127.0.0.1:8197', 'http://localhost:81a'] as $wrong) {
    fails(PushcoteException::class, "The admin address is \"$wrong\"; accepted: one such as http://",
        fn () => Pushcote::connect($wrong));
}
fails(PushcoteException::class, 'No answer from https',
    fn () => Pushcote::connect(str_replace('http', 'https', $pushcote->address)));
foreach (['', '/json', '/torn'] as $path) {
    fails(PushcoteException::class, "is not Pushcote's admin API", fn () => Pushcote::connect(getenv('OTHER') . $path));
}

// The clock advances.
$own = Pushcote::start('admin.token=secret and more');
$phone = $own->device('tablet', ['isOnline' => false]);
fails(PushcoteException::class, 'stop it first', fn () => $own->clock->advance(1));
$own->clock->stop(['now' => '2030-01-01T09:00:00Z']);
equal($own->clock->advance('1h')['now'], '2030-01-01T10:00:00.000Z');
$phone->push(TOPIC, order(7));
$own->verify('state=delivered', ['never' => true, 'within' => 0.5, 'clock' => 'simulated']);
$phone->patch(['isOnline' => true]);
$own->verify('state=delivered');
equal($own->clock->reset()['mode'], 'real');
$own->reset();
equal($own->info()['counts']['devices'], 0);
$own->stop();
$own->stop();
fails(PushcoteException::class, 'No answer from', fn () => $own->info());

// A gateway that does not start says why.
fails(PushcoteException::class, 'did you mean auth.mode', fn () => Pushcote::start('auth.mod=strict'));
putenv('PUSHCOTE=/no/such/program');
fails(PushcoteException::class, 'Set PUSHCOTE', fn () => Pushcote::start());
echo "passed\n";
