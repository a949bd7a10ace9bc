package millwright;

import java.util.concurrent.Callable;

/**
 * Where the classes of all loaders of a machine find the one recorder: an empty group of threads, for that is seen from everywhere
 * and disturbs nothing. A property would have to be a text.
 */
final class Registry extends ThreadGroup implements Callable<Object> {
    /** Java 19 and later hold groups weakly. */
    private static Registry kept;
    private final Object recorder;

    private Registry(ThreadGroup root, Object recorder) {
        super(root, "millwright-trace");
        this.recorder = recorder;
    }

    static void register(ThreadGroup root, Object recorder) {
        kept = new Registry(root, recorder);
    }

    @Override
    public Object call() {
        return recorder;
    }
}
