import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests of the JUnit Platform: JUnit 5 and later, and whatever has an engine. */
public final class MillwrightPlatform {
    private static final Pattern NUMBER = Pattern.compile("#(\\d+)\\]$");

    /** Names of methods; an empty list stands for the whole class. All methods of these names run, with all values. */
    public static void run(Class<?> type, List<String> names, final MillwrightEvents events) {
        LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request();
        boolean found = false;
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            for (java.lang.reflect.Method method : above.getDeclaredMethods()) {
                if (!names.contains(method.getName()) || method.isSynthetic()) continue;
                builder.selectors(DiscoverySelectors.selectMethod(type, method));
                found = true;
            }
        }
        if (!found) builder.selectors(DiscoverySelectors.selectClass(type));
        LauncherDiscoveryRequest request = builder.build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionStarted(TestIdentifier test) {
                if (!test.isTest()) return;
                if (events.isOver()) throw new OutOfMemoryError("no further test is asked for");
                events.started(nameOf(test));
            }

            @Override
            public void executionSkipped(TestIdentifier test, String reason) {
                events.ended(nameOf(test), "skipped", null);
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                Throwable failure = result.getThrowable().orElse(null);
                boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
                if (!test.isTest() && !failed) return;
                String status = failed ? "failed" : result.getStatus() == TestExecutionResult.Status.ABORTED ? "skipped" : "passed";
                events.ended(nameOf(test), status, failure);
            }
        });
    }

    private static String nameOf(TestIdentifier test) {
        Object source = test.getSource().orElse(null);
        Matcher number = NUMBER.matcher(test.getUniqueId());
        String index = test.isTest() && number.find() ? number.group(1) : "";
        if (source instanceof MethodSource) {
            MethodSource method = (MethodSource) source;
            return method.getClassName() + "\t" + method.getMethodName() + "\t" + index;
        }
        return (source instanceof ClassSource ? ((ClassSource) source).getClassName() : "") + "\t\t";
    }
}
