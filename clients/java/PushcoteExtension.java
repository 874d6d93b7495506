package pushcote;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit 5 extension for Pushcote. Copy it into your project beside Pushcote.java.
 *
 * <pre>
 * {@literal @}ExtendWith(PushcoteExtension.class)
 * class OrderTest {
 *     {@literal @}Test void ordersAreAnnounced(Pushcote.Device phone) { … }
 * }
 * </pre>
 *
 * <p>A parameter {@link Pushcote} is the gateway at PUSHCOTE_ADMIN, which {@code pushcote exec} sets, otherwise one
 * that stops after the last test. A parameter {@link Pushcote.Device} is a device of the test's own. If the test fails,
 * its report entries say what the device received and why it showed it so, and list the requests during the test.
 */
public final class PushcoteExtension implements ParameterResolver, AfterTestExecutionCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(PushcoteExtension.class);

    /** JUnit closes it with the store. */
    private static final class Shared implements ExtensionContext.Store.CloseableResource {
        final Pushcote pushcote =
                Objects.toString(System.getenv("PUSHCOTE_ADMIN"), "").isEmpty() ? Pushcote.start() : Pushcote.connect();

        @Override
        public void close() {
            pushcote.stop();
        }
    }

    private static Pushcote pushcote(ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(Shared.class).pushcote;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return List.of(Pushcote.class, Pushcote.Device.class).contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (parameter.getParameter().getType() == Pushcote.class) return pushcote(context);
        String test = context.getTestMethod().map(method -> method.getName() + "-").orElse("");
        return context.getStore(NAMESPACE).getOrComputeIfAbsent(Pushcote.Device.class, key -> {
            List<Pushcote.Json> newest = pushcote(context).requests(Map.of("order", "newest", "limit", 1));
            context.getStore(NAMESPACE).put("since", newest.isEmpty() ? 0 : newest.get(0).at("number").number());
            return pushcote(context).device(test + UUID.randomUUID());
        });
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        Pushcote.Device device = context.getStore(NAMESPACE).get(Pushcote.Device.class, Pushcote.Device.class);
        if (device == null || context.getExecutionException().isEmpty()) return;
        try {
            report(context, pushcote(context), device);
        } catch (RuntimeException error) {
            context.publishReportEntry(device.name, "The gateway does not say what the device saw: " + error);
        }
    }

    private static void report(ExtensionContext context, Pushcote pushcote, Pushcote.Device device) {
        List<Pushcote.Json> received =
                pushcote.notifications(Map.of("device", device.name, "order", "newest", "limit", 3));
        if (received.isEmpty()) context.publishReportEntry(device.name, "The device received nothing.");
        for (int index = received.size() - 1; index >= 0; index--) {
            String text = pushcote.explain(received.get(index));
            // Of older ones only the first paragraph: what became of them.
            context.publishReportEntry(device.name, index > 0 ? text.split("\n\n")[0] : text.lines()
                    .filter(line -> !line.contains("No; next rule.")).collect(Collectors.joining("\n")));
        }
        Object since = context.getStore(NAMESPACE).get("since");
        for (Pushcote.Json one : pushcote.requests(Map.of("since", since, "limit", 1000))) {
            Object name = one.at("device").value();
            if (name == null || name.equals(device.name))
                context.publishReportEntry(device.name, one.at("summary").text());
        }
    }
}
