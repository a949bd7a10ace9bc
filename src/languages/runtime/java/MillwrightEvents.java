/** What an adapter of a test framework tells the worker; in a class loader that both know. */
public interface MillwrightEvents {
    void started(String test);

    /** Status: passed, failed, skipped. The name of a test is CLASS TAB METHOD TAB NUMBER, the number "" where it has none. */
    void ended(String test, String status, Throwable failure);

    /** True when no further test is to run. */
    boolean isOver();
}
