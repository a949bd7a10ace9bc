package millwright;

import java.util.concurrent.atomic.AtomicLong;

final class Function {
    final int number;
    /** False where it is recorded only near one that was asked for. */
    final boolean asked;
    /** Of its arguments; null where they are not recorded. */
    final String[] names;
    final AtomicLong count = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong depth = new AtomicLong();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong sampled = new AtomicLong();

    Function(int number, boolean asked, String[] names) {
        this.number = number;
        this.asked = asked;
        this.names = names;
    }

    boolean mayFailAgain(int most) {
        return failures.incrementAndGet() <= most;
    }

    private AtomicLong cutsFor(String why) {
        switch (why) {
            case "depth": return depth;
            case "records": return records;
            case "bytes": return bytes;
            default: return sampled;
        }
    }

    /** Counts a call that is not recorded. A process may be killed at any moment: the sum is told whenever it grew by an eighth. */
    void cut(String why) {
        long count = cutsFor(why).incrementAndGet();
        long step = Long.highestOneBit(count) >> 3;
        if (step <= 1 || count % step == 0) Lines.writeCut(number, why, count);
    }

    void tellCuts() {
        for (String why : new String[] {"depth", "records", "bytes", "sampled"}) {
            long count = cutsFor(why).get();
            if (count > 0) Lines.writeCut(number, why, count);
        }
    }
}
