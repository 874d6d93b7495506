package pushcote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import pushcote.Pushcote.Device;
import pushcote.Pushcote.Json;
import pushcote.Pushcote.PushcoteException;
import pushcote.Pushcote.VerificationError;

/** What every helper can do, in Java. Run with PUSHCOTE, the program, and PUSHCOTE_ADMIN, a running gateway. */
final class Program {
    private static final String TOPIC = "com.example.app";

    private static Map<String, ?> order(int number) {
        return Map.of("aps", Map.of("alert", Map.of("title", "Order " + number), "badge", number));
    }

    private static void equal(Object got, Object expected) {
        if (!Objects.equals(got, expected)) throw new AssertionError(got + ", expected " + expected);
    }

    private static void contains(String text, String words) {
        if (!text.contains(words)) throw new AssertionError(text + " lacks " + words);
    }

    private static <T extends Throwable> T fails(Class<T> type, Runnable body) {
        try {
            body.run();
        } catch (Throwable failure) {
            return type.cast(failure);
        }
        throw new IllegalStateException("no " + type);
    }

    public static void main(String[] arguments) {
        Pushcote pushcote = Pushcote.connect();
        aPushIsAwaitedVerifiedAndExplained(pushcote, pushcote.device());
        aFailureHasTheNearestMiss(pushcote.device());
        aFailureAmongRequestsOfEveryKindHasAReport(pushcote);
        anErrorHasTheGatewaysSentence(pushcote, pushcote.device());
        aFaultEndsWhenItIsClosed(pushcote, pushcote.device());
        jsonIsReadAndWritten(pushcote.device());
        theClockAdvances();
        aGatewayThatDoesNotStartSaysWhy();
        aValueThatJsonWouldChangeIsNamed(pushcote, pushcote.device());
        anAddressThatIsNoneIsNamed(pushcote);
        System.out.println("10 passed");
    }

    private static void aPushIsAwaitedVerifiedAndExplained(Pushcote pushcote, Device phone) {
        String token = phone.register(TOPIC);
        long number = phone.push(TOPIC, order(7));
        Json notification = phone.await("title=Order 7", Duration.ofSeconds(20));
        equal(notification.at("id").number(), number);
        equal(notification.at("token").text(), token);
        equal(notification.at("request.payload.aps.alert.title").text(), "Order 7");
        equal(notification.at("request.nothing.here").value(), null);
        equal(phone.verify(Map.of("where", Map.of("badge", Map.of(">", 6)), "count", 1)).at("matched.0").number(), number);
        contains(pushcote.explain(notification), "Order 7");
        equal(pushcote.notifications(Map.of("device", phone.name, "where", List.of("badge>6", "title"))).size(), 1);
        phone.act(Map.of("action", "tap", "notification", number));
        phone.verify(Map.of("of", "events", "where", "event=response"));
        contains(pushcote.ca(), "BEGIN CERTIFICATE");
        String members = String.join("\n", pushcote.provider(), pushcote.host(), "" + pushcote.port(),
                pushcote.authorityFile(), pushcote.keyFile(), pushcote.keyId(), pushcote.teamId(),
                pushcote.providerToken());
        try {
            Files.writeString(Path.of("members.txt"), members);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static void aFailureHasTheNearestMiss(Device phone) {
        phone.push(TOPIC, order(7));
        VerificationError failure =
                fails(VerificationError.class, () -> phone.await("title=Order 8", Duration.ofMillis(50)));
        contains(failure.getMessage(), "expected Order 8, got \"Order 7\"");
        equal(failure.verdict.at("outcome").text(), "tooFew");
        fails(AssertionError.class, () -> phone.verify(Map.of("where", "title~Order", "never", true)));
        phone.push(TOPIC, order(8));
        phone.verify(Map.of("order", List.of("title=Order 7", "title=Order 8")));
    }

    private static void aFailureAmongRequestsOfEveryKindHasAReport(Pushcote pushcote) {
        equal(pushcote.requests(Map.of("device", "logged")).size() >= 6, true);
        VerificationError failure = fails(VerificationError.class,
                () -> pushcote.verify(Map.of("of", "requests", "where", "reason=TopicDisallowed")));
        contains(failure.getMessage(), "reason: expected TopicDisallowed");
    }

    private static void anErrorHasTheGatewaysSentence(Pushcote pushcote, Device phone) {
        PushcoteException unknown = fails(
                PushcoteException.class, () -> pushcote.verify(Map.of("where", "title", "device", "no/body")));
        contains(unknown.getMessage(), "There is no device 'no/body'");
        equal(unknown.status, 404);
        contains(fails(PushcoteException.class, () -> phone.patch(Map.of("isOnlin", false))).getMessage(), "isOnline");
        String other = "http://" + pushcote.info().at("addresses.clearText.0");
        contains(
                fails(PushcoteException.class, () -> Pushcote.connect(other, "").info()).getMessage(),
                other + " is not Pushcote's admin API");
    }

    private static void aFaultEndsWhenItIsClosed(Pushcote pushcote, Device phone) {
        Map<String, ?> rule = Map.of(
                "name", phone.name, "match", Map.of("device", phone.name), "effect", Map.of("delay", "1s"));
        for (int round = 0; round < 2; round++) {
            try (Pushcote.Fault fault = pushcote.fault(rule)) {
                equal(fails(PushcoteException.class, () -> pushcote.fault(rule)).status, 409);
            }
        }
        equal(pushcote.requests(Map.of("device", phone.name)).size(), 0);
    }

    private static void jsonIsReadAndWritten(Device phone) {
        String title = "\"\\/ \b\f\n\r\t\u0001 {[]}:, é 🎉";
        phone.push(TOPIC, Map.of("aps", Map.of("alert", title), "list", List.of(1, -2.5, true, false, Map.of())));
        Json payload = phone.await(List.of("body~🎉"), Duration.ofSeconds(20)).at("request.payload");
        equal(payload.at("aps.alert").text(), title);
        equal(payload.at("list").list().size(), 5);
        equal(payload.at("list.1").text(), "-2.5");
        equal(payload.at("list.2").value(), true);
        equal(Json.read("{\"empty\": [], \"none\": null, \"escaped\": \"\\u00e9\\n\\\\\"}").at("escaped").text(), "é\n\\");
    }

    private static void aValueThatJsonWouldChangeIsNamed(Pushcote pushcote, Device phone) {
        Pattern title = Pattern.compile("Order");
        Map<String, Object> none = new HashMap<>();
        none.put("device", null);
        Map<String, Runnable> wrong = Map.of(
                "where.title is a java.util.regex.Pattern; accepted: texts",
                () -> phone.verify(Map.of("where", Map.of("title", title), "never", true)),
                "where is a java.util.Optional", () -> phone.verify(Map.of("where", List.of(Optional.of("title")), "never", true)),
                "where is a [Ljava.lang.String;", () -> phone.await(new String[] {"title"}, Duration.ZERO),
                "text is a java.util.Optional", () -> pushcote.notifications(Map.of("text", Optional.of("Order"))),
                "device is null; give it a value", () -> pushcote.requests(none),
                "where is null; give it a value", () -> pushcote.notifications(Map.of("where", Arrays.asList("title", null))));
        wrong.forEach((words, call) -> contains(fails(IllegalArgumentException.class, call).getMessage(), words));
        contains(fails(PushcoteException.class, () -> phone.await(null, Duration.ZERO)).getMessage(), "'where' is null");
        phone.push(TOPIC, order(7));
        Json badge = phone.await(new StringBuilder("title=Order 7"), Duration.ZERO).at("badge");
        phone.verify(Map.of("where", Map.of("badge", badge, "receivedAt", Map.of(">", Instant.EPOCH))));
    }

    private static void anAddressThatIsNoneIsNamed(Pushcote pushcote) {
        String admin = "http://" + pushcote.info().at("addresses.admin.0");
        for (String slashes : List.of("/", "/api/v1", "/api/v1/")) equal(Pushcote.connect(admin + slashes, "").host(), "localhost");
        for (String wrong : List.of("", "localhost:8197", "127.0.0.1:8197", "http://localhost:81a")) {
            contains(fails(PushcoteException.class, () -> Pushcote.connect(wrong, "")).getMessage(),
                    "The admin address is \"" + wrong + "\"; accepted: one such as http://");
        }
        contains(fails(PushcoteException.class, () -> Pushcote.connect(admin.replace("http", "https"), "")).getMessage(),
                "No answer from https");
        for (String path : List.of("", "/json", "/torn")) {
            contains(fails(PushcoteException.class, () -> Pushcote.connect(System.getenv("OTHER") + path, "")).getMessage(),
                    "is not Pushcote's admin API");
        }
    }

    private static void theClockAdvances() {
        Pushcote own = Pushcote.start("admin.token=secret and more");
        try (own) {
            Device phone = own.device("tablet");
            phone.patch(Map.of("isOnline", false));
            contains(fails(PushcoteException.class, () -> own.advanceClock(Duration.ofHours(1))).getMessage(), "stop it first");
            equal(own.stopClock().at("mode").text(), "manual");
            own.advanceClock(Duration.ofHours(1));
            phone.push(TOPIC, order(7));
            own.verify(Map.of("where", "state=delivered", "never", true, "within", "500ms", "clock", "simulated"));
            phone.patch(Map.of("isOnline", true));
            own.verify(Map.of("where", "state=delivered"));
            equal(own.resetClock().at("mode").text(), "real");
            own.reset();
            equal(own.info().at("counts.devices").number(), 0L);
            own.stop();
        }
        contains(fails(PushcoteException.class, own::info).getMessage(), "No answer from");
    }

    private static void aGatewayThatDoesNotStartSaysWhy() {
        contains(fails(PushcoteException.class, () -> Pushcote.start("auth.mod=strict")).getMessage(), "did you mean auth.mode");
    }
}
