package pushcote;

import java.io.*;
import java.math.BigDecimal;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

/**
 * Pushcote in Java tests: simulated devices, pushes, waits and assertions. Copy this file into your project.
 *
 * <pre>
 * Pushcote.Device phone = pushcote.device();
 * String token = phone.register("com.example.app");    // your back end pushes to the token
 * phone.await("title~Order", Duration.ofSeconds(5));
 * </pre>
 *
 * <p>It needs Java 11 and nothing else. A query ({@code where}) is a condition, a list of conditions or a map of tests
 * by path, as in Pushcote's docs/queries.md; other maps have the members of docs/admin-api.md.
 */
@SuppressWarnings("serial")
public final class Pushcote implements AutoCloseable {
    /** The gateway rejects a call or does not start; the message is the gateway's. */
    public static final class PushcoteException extends RuntimeException {
        public final int status;    // HTTP's; 0 without an answer

        PushcoteException(String message, int status) { super(message); this.status = status; }
    }

    /** A verification failed; the message is the gateway's report with the nearest misses. */
    public static final class VerificationError extends AssertionError {
        public final Json verdict;    // the answer of POST /verify

        VerificationError(Json verdict) { super(verdict.at("report").text()); this.verdict = verdict; }
    }

    // Ends with its standard input: the gateway stops even if this process is killed.
    private static final String UNTIL_STOPPED =
            "printf '%s %s\\n' \"$PUSHCOTE_ADMIN\" \"$PUSHCOTE_ADMIN_TOKEN\"; exec cat >/dev/null";
    private static final String ADDRESS = "https?://([^/:\\s]+|\\[[^]\\s]+])(:\\d+)?(/\\S*)?";
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String address;
    private final String token;
    private Process process;
    private File log;

    private Pushcote(String address, String token) {
        this.address = address.replaceFirst("(/api/v1)?/*$", "");
        this.token = token;
    }

    /** Uses the gateway at PUSHCOTE_ADMIN with PUSHCOTE_ADMIN_TOKEN, which {@code pushcote exec} sets. */
    public static Pushcote connect() {
        return connect(variable("PUSHCOTE_ADMIN", "http://localhost:8197"), variable("PUSHCOTE_ADMIN_TOKEN", ""));
    }

    /** Uses the gateway at an admin address such as {@code http://localhost:8197}. */
    public static Pushcote connect(String address, String token) {
        Pushcote pushcote = new Pushcote(address, token);
        Json info = pushcote.info();
        if (info.at("addresses").value() == null) throw pushcote.foreign(info.text(), 0);
        return pushcote;
    }

    /** Runs $PUSHCOTE, else {@code pushcote}, on free ports, with settings such as {@code auth.mode=strict}. */
    public static Pushcote start(String... settings) {
        List<String> command = new ArrayList<>(List.of(variable("PUSHCOTE", "pushcote"), "exec"));
        for (String setting : settings) command.addAll(List.of("--set", setting));
        command.addAll(List.of("--", "sh", "-c", UNTIL_STOPPED));
        try {
            File log = File.createTempFile("pushcote", ".log");
            log.deleteOnExit();
            Process process = new ProcessBuilder(command).redirectError(log).start();
            String line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
            String[] words = Objects.toString(line, " ").split(" ", 2);
            Pushcote pushcote = new Pushcote(words[0], words[1]);
            pushcote.process = process;
            pushcote.log = log;
            if (!words[0].isEmpty()) return pushcote;
            pushcote.stop();
            throw new PushcoteException("The gateway has no admin address.", 0);
        } catch (IOException error) {
            throw new PushcoteException(error.getMessage() + ". Set PUSHCOTE to the program.", 0);
        }
    }

    /** Stops a gateway that {@code start} started; the exception of a failed one has its log. */
    public void stop() {
        if (process == null) return;
        try {
            process.getOutputStream().close();
            if (process.waitFor() == 0) return;
            throw new PushcoteException("The gateway failed to run:\n" + Files.readString(log.toPath()), 0);
        } catch (IOException | InterruptedException error) {
            throw new PushcoteException("The gateway was not stopped: " + error, 0);
        }
    }

    @Override public void close() { stop(); }

    /** Addresses, key and counts: {@code info().at("addresses.provider.0").text()} is for your back end. */
    public Json info() { return call("GET", "/info", null, Map.of()); }

    /** The certificate authority that your back end must trust, as PEM. */
    public String ca() { return call("GET", "/ca.pem", null, Map.of()).text(); }

    /** The provider API for your back end: {@code https://localhost:PORT}. */
    public String provider() { return "https://" + host() + ":" + port(); }

    /** The provider API's host: {@code localhost} on this machine, which the certificate names. */
    public String host() { return URI.create(address).getHost().replaceFirst("^(127\\..*|\\[::1])$", "localhost"); }

    /** The provider API's port. */
    public int port() {
        return Integer.parseInt(info().at("addresses.provider.0").text().replaceFirst(".*:", ""));
    }

    /** The file of {@link #ca}, on the gateway's machine. */
    public String authorityFile() { return file("PUSHCOTE_RUN_CA", "certificate.caFile"); }

    /** The file of the key that the gateway accepts ({@code .p8}), on the gateway's machine. */
    public String keyFile() { return file("PUSHCOTE_RUN_KEY", "demonstrationKey.file"); }

    /** The key's identifier, as Apple's developer account shows it. */
    public String keyId() { return info().at("demonstrationKey.keyId").text(); }

    /** The team's identifier. */
    public String teamId() { return info().at("demonstrationKey.teamId").text(); }

    private String file(String name, String path) {
        // `pushcote exec` may have been started in another folder than the test.
        boolean isOfExec = address.equals(variable("PUSHCOTE_ADMIN", ""));
        String file = isOfExec ? variable(name, "") : "";
        return new File(file.isEmpty() ? info().at(path).text() : file).getAbsolutePath();
    }

    /** For the header {@code authorization: bearer …}; the gateway signs it now with its key. */
    public String providerToken() { return call("POST", "/provider-tokens", Map.of(), Map.of()).at("token").text(); }

    /** Makes a device with a unique name. */
    public Device device() { return device("device-" + UUID.randomUUID()); }

    /** Makes a device, or uses the one with this name. */
    public Device device(String name) {
        call("PUT", "/devices/{name}", Map.of(), Map.of(), name);
        return new Device(name);
    }

    /** Asserts what arrived, {@code Map.of("where", "title~Order")}, or throws {@link VerificationError}. */
    public Json verify(Map<String, ?> expectation) {
        Json verdict = call("POST", "/verify", expectation, Map.of());
        if (!Boolean.TRUE.equals(verdict.at("verified").value())) throw new VerificationError(verdict);
        return verdict;
    }

    /** The first 100 that devices received: {@code Map.of("where", List.of("badge>2"), "limit", 1000)}. */
    public List<Json> notifications(Map<String, ?> filters) {
        return call("GET", "/notifications", null, filters).at("notifications").list();
    }

    /** Why the device showed a notification as it did, in sentences. */
    public String explain(Json notification) {
        return call("GET", "/notifications/{id}/explanation", null, Map.of(), notification.at("id")).text();
    }

    /** The first 100 requests of providers, with their answers: {@code Map.of("reason", "BadDeviceToken")}. */
    public List<Json> requests(Map<String, ?> filters) {
        return call("GET", "/requests", null, filters).at("requests").list();
    }

    /** Makes the gateway fail until the fault is closed: {@code try (var fault = pushcote.fault(rule))}. */
    public Fault fault(Map<String, ?> rule) {
        List<Json> added = call("POST", "/faults", rule, Map.of()).at("faults").list();
        return () -> added.forEach(one -> call("DELETE", "/faults/{name}", null, Map.of(), one.at("name")));
    }

    /** Removes devices, apps, requests and faults except those to keep. */
    public void reset(String... keep) { call("POST", "/reset", Map.of("keep", List.of(keep)), Map.of()); }

    /** Stops the clock that the gateway and all its devices share. */
    public Json stopClock() { return call("PUT", "/clock", Map.of("mode", "manual"), Map.of()); }

    /** Advances the stopped clock; everything due happens before this returns. */
    public Json advanceClock(Duration by) {
        return call("POST", "/clock/advance", Map.of("by", by.toMillis() + "ms"), Map.of());
    }

    /** Follows real time again. */
    public Json resetClock() { return call("POST", "/clock/reset", null, Map.of()); }

    /** A simulated device. */
    public final class Device {
        public final String name;
        private Device(String name) { this.name = name; }

        /** Registers an app for pushes; returns its device token. */
        public String register(String topic) {
            Map<String, ?> body = Map.of("topic", topic);
            return call("POST", "/devices/{name}/registrations", body, Map.of(), name).at("token").text();
        }

        /** Pushes directly, without a provider; returns the notification's number. The payload: a map or JSON text. */
        public long push(String topic, Object payload) {
            return call("POST", "/devices/{name}/push", payload, Map.of("topic", topic), name).at("id").number();
        }

        /** Everything about the first notification that matches, now or later, or throws {@link VerificationError}. */
        public Json await(Object where, Duration within) {
            Map<String, Object> expectation = new HashMap<>();
            expectation.put("where", where);    // Map.of does not name a null.
            expectation.put("within", within.toMillis() + "ms");
            Json verdict = verify(expectation);
            return call("GET", "/notifications/{id}", null, Map.of(), verdict.at("matched.0"));
        }

        /** {@link Pushcote#verify} for this device. */
        public Json verify(Map<String, ?> expectation) {
            Map<String, Object> body = new LinkedHashMap<>(expectation);
            body.put("device", name);
            return Pushcote.this.verify(body);
        }

        /** Changes conditions: {@code Map.of("isOnline", false)}. */
        public Json patch(Map<String, ?> conditions) {
            return call("PATCH", "/devices/{name}", conditions, Map.of(), name);
        }

        /** Performs an act, {@code Map.of("action", "tap", "notification", 1)}; returns the events. */
        public Json act(Map<String, ?> act) {
            return call("POST", "/devices/{name}/actions", act, Map.of(), name);
        }
    }

    /** Fault rules that are active until they are closed. */
    public interface Fault extends AutoCloseable { @Override void close(); }

    /** A value of an answer: a map, list, string, number (BigDecimal) or boolean, or null. */
    public static final class Json {
        private static final Pattern TOKEN =
                Pattern.compile("\"(?:[^\"\\\\]++|\\\\.)*+\"|[\\[\\]{}]|[^\\s,:\\[\\]{}\"]++");
        private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");
        private final Object value;

        Json(Object value) { this.value = value; }
        public Object value() { return value; }
        public String text() { return String.valueOf(value); }
        @Override public String toString() { return text(); }
        public long number() { return ((BigDecimal) value).longValue(); }
        public List<Json> list() { return ((List<?>) value).stream().map(Json::new).collect(Collectors.toList()); }

        /** What is at a path such as {@code findings.0.id}; a Json of null if nothing is. */
        public Json at(String path) {
            Object found = value;
            for (String name : path.split("\\.")) {
                List<?> list = found instanceof List ? (List<?>) found : List.of();
                Map<?, ?> map = found instanceof Map ? (Map<?, ?>) found : Map.of();
                boolean isIndex = name.matches("\\d{1,9}") && Integer.parseInt(name) < list.size();
                found = isIndex ? list.get(Integer.parseInt(name)) : map.get(name);
            }
            return new Json(found);
        }

        /** Reads JSON that the gateway has written. */
        static Json read(String text) {
            Iterator<String> tokens = TOKEN.matcher(text).results().map(MatchResult::group).iterator();
            return new Json(read(tokens.next(), tokens));
        }

        private static Object read(String token, Iterator<String> rest) {
            switch (token.charAt(0)) {
                case '{':
                    Map<String, Object> members = new LinkedHashMap<>();
                    for (String name = rest.next(); !name.equals("}"); name = rest.next())
                        members.put(unescape(name), read(rest.next(), rest));
                    return members;
                case '[':
                    List<Object> elements = new ArrayList<>();
                    for (String one = rest.next(); !one.equals("]"); one = rest.next()) elements.add(read(one, rest));
                    return elements;
                case '"': return unescape(token);
                case 't': return true;
                case 'f': return false;
                case 'n': return null;
                default: return new BigDecimal(token);
            }
        }

        private static String unescape(String token) {
            return ESCAPE.matcher(token.substring(1, token.length() - 1)).replaceAll(match -> {
                String code = match.group(1);
                int control = "bfnrt".indexOf(code);
                return Matcher.quoteReplacement(code.length() == 5
                        ? String.valueOf((char) Integer.parseInt(code.substring(1), 16))
                        : control < 0 ? code : "\b\f\n\r\t".substring(control, control + 1));
            });
        }

        /** @param path what an error names; the texts of other objects would be compared, and hardly ever match */
        static String write(String path, Object value) {
            if (value instanceof Map)
                return ((Map<?, ?>) value).entrySet().stream()
                        .map(one -> write("a name", one.getKey()) + ":" + write(
                                path.isEmpty() ? "" + one.getKey() : path + "." + one.getKey(), one.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            if (value instanceof Collection)
                return ((Collection<?>) value).stream().map(one -> write(path, one))
                        .collect(Collectors.joining(",", "[", "]"));
            if (value == null || value instanceof Number || value instanceof Boolean) return String.valueOf(value);
            if (value instanceof Json) return write(path, ((Json) value).value());
            return scalar(path, value).chars()
                    .mapToObj(c -> c < 32 || c == '"' || c == '\\' ? String.format("\\u%04x", c) : "" + (char) c)
                    .collect(Collectors.joining("", "\"", "\""));
        }
    }

    /** A call of the admin API: a path of openapi.yaml below /api/v1 and the values for its braces. */
    public Json call(String method, String path, Object body, Map<String, ?> query, Object... values) {
        if (!address.matches(ADDRESS)) throw new PushcoteException(
                "The admin address is \"" + address + "\"; accepted: one such as http://localhost:8197.", 0);
        for (Object value : values) path = path.replaceFirst("\\{\\w+}", encode("a value of the path", value));
        String parameters = query.entrySet().stream()
                .flatMap(one -> (one.getValue() instanceof List
                        ? (List<?>) one.getValue() : Arrays.asList(one.getValue())).stream()
                        .map(value -> one.getKey() + "=" + encode(one.getKey(), value)))
                .collect(Collectors.joining("&"));
        String json = body == null || body instanceof String ? (String) body : Json.write("", body);
        URI uri = URI.create(address + "/api/v1" + path + "?" + parameters);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.ofString(json == null ? "" : json));
        if (token != null && !token.isEmpty()) request.header("Authorization", "Bearer " + token);
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            boolean isJson = answer.headers().firstValue("content-type").orElse("").startsWith("application/json");
            Json content = isJson ? read(answer) : new Json(answer.body());
            if (answer.statusCode() < 400 || answer.statusCode() == 406) return content;
            Object message = content.at("error").value();
            if (message == null) throw foreign(answer.body(), answer.statusCode());
            throw new PushcoteException(message.toString(), answer.statusCode());
        } catch (IOException | InterruptedException error) {
            throw new PushcoteException("No answer from " + address + ": " + error, 0);
        }
    }

    private Json read(HttpResponse<String> answer) {
        try {
            return Json.read(answer.body());
        } catch (NoSuchElementException | NumberFormatException error) {
            throw foreign(answer.body(), answer.statusCode());
        }
    }

    private PushcoteException foreign(String content, int status) {
        String beginning = content.substring(0, Math.min(content.length(), 200));
        return new PushcoteException(address + " is not Pushcote's admin API: " + beginning, status);
    }

    private static String encode(String name, Object value) {
        return URLEncoder.encode(scalar(name, value), StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The text of a value that has one. */
    private static String scalar(String path, Object value) {
        if (value instanceof Json) return scalar(path, ((Json) value).value());
        if (value == null)
            throw new IllegalArgumentException(path + " is null; give it a value, or leave it out.");
        if (Stream.of(CharSequence.class, Number.class, Boolean.class, Character.class, Enum.class, Temporal.class)
                .anyMatch(type -> type.isInstance(value))) return value.toString();
        throw new IllegalArgumentException(path + " is a " + value.getClass().getName()
                + "; accepted: texts, numbers, booleans, times, lists and maps.");
    }

    private static String variable(String name, String otherwise) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty()).orElse(otherwise);
    }
}
