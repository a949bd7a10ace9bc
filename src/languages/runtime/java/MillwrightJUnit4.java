import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs tests of JUnit 3 and 4. */
public final class MillwrightJUnit4 {
    /** Names of methods, with `[0]` where the test has parameters; an empty list stands for the whole class. */
    public static void run(Class<?> type, final List<String> names, final MillwrightEvents events) throws Exception {
        final Map<String, Throwable> failures = new HashMap<>();
        Request request = Request.aClass(type);
        if (!names.isEmpty()) {
            request = request.filterWith(new Filter() {
                @Override
                public boolean shouldRun(Description description) {
                    if (description.isTest()) return names.contains(description.getMethodName());
                    for (Description each : description.getChildren()) if (shouldRun(each)) return true;
                    return false;
                }

                @Override
                public String describe() {
                    return "the tests that were asked for";
                }
            });
        }
        JUnitCore core = new JUnitCore();
        core.addListener(new RunListener() {
            @Override
            public void testStarted(Description description) {
                if (events.isOver()) throw new ThreadDeath();
                events.started(nameOf(description));
            }

            @Override
            public void testFailure(Failure failure) {
                failures.put(nameOf(failure.getDescription()), failure.getException());
                if (!failure.getDescription().isTest()) {
                    events.ended(nameOf(failure.getDescription()), "failed", failure.getException());
                }
            }

            @Override
            public void testAssumptionFailure(Failure failure) {
                events.ended(nameOf(failure.getDescription()), "skipped", null);
            }

            @Override
            public void testIgnored(Description description) {
                events.ended(nameOf(description), "skipped", null);
            }

            @Override
            public void testFinished(Description description) {
                Throwable failure = failures.get(nameOf(description));
                events.ended(nameOf(description), failure == null ? "passed" : "failed", failure);
            }
        });
        core.run(request);
    }

    private static String nameOf(Description description) {
        String method = description.getMethodName();
        return description.getClassName() + "\t" + (method == null ? "" : method) + "\t";
    }
}
