package millwright;

import java.util.concurrent.atomic.AtomicInteger;

/** What is known of a thread. Only the thread itself changes it. */
final class ThreadState {
    private static final AtomicInteger THREADS = new AtomicInteger();
    private static final InheritableThreadLocal<ThreadState> STATES = new InheritableThreadLocal<ThreadState>() {
        @Override
        protected ThreadState initialValue() {
            return new ThreadState(null);
        }

        /** Runs in the thread that makes another one. */
        @Override
        protected ThreadState childValue(ThreadState parent) {
            return new ThreadState(parent.top);
        }
    };

    /** The call that made the thread. */
    private Call spawner;
    int number;
    Call top;
    boolean busy;
    /** The exception that was told last, with its place: it passes through many calls. */
    Throwable thrown;
    String place;

    private ThreadState(Call spawner) {
        this.spawner = spawner;
    }

    static ThreadState current() {
        return STATES.get();
    }

    /**
     * Writes the thread's line before its first call, and another one where it is a pool's and the call that made it has ended: what
     * it does then was asked for by someone else.
     */
    void introduce() {
        if (top != null) return;
        thrown = null;
        place = null;
        if (number > 0) {
            if (spawner == null || !spawner.ended || !isPooled()) return;
            spawner = null;
        }
        number = THREADS.incrementAndGet();
        Lines.writeThread(number, Thread.currentThread().getName(), spawner);
    }

    private static boolean isPooled() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (frame.getClassName().matches("java\\.util\\.concurrent\\.(?:ThreadPoolExecutor|ForkJoin\\w+|ThreadPerTask).*")) return true;
        }
        return false;
    }
}
