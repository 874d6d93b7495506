package pushcote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One test passes and one fails, for the report of the failure. */
@ExtendWith(PushcoteExtension.class)
class ExtensionTest {
    private static String first;

    @Test
    void passes(Pushcote pushcote, Pushcote.Device phone) {
        check(pushcote, phone);
    }

    @Test
    void fails(Pushcote pushcote, Pushcote.Device phone) {
        check(pushcote, phone);
        phone.push("com.example.app", Map.of("aps", Map.of("alert", Map.of("title", "Order 9"))));
        phone.await("title=Order 8", Duration.ofMillis(50));
    }

    /** Each test has a device of its own. */
    private static void check(Pushcote pushcote, Pushcote.Device phone) {
        phone.push("com.example.app", Map.of("aps", Map.of("alert", Map.of("title", "Order 7"))));
        assertEquals(1, pushcote.notifications(Map.of("device", phone.name)).size());
        assertNotEquals(first, phone.name);
        first = phone.name;
    }
}
