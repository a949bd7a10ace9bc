package millwright;

import java.util.concurrent.atomic.AtomicLong;

final class Function {
    /** Its calls: all of them up to the first number, and afterwards one of so many. */
    private static final int FULL_CALLS = 1000;
    private static final int ONE_OF = 1000;

    final int number;
    /** False where it is recorded only near one that was asked for. */
    final boolean asked;
    /** Of its arguments; null where they are not recorded. */
    final String[] names;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong depth = new AtomicLong();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    Function(int number, boolean asked, String[] names) {
        this.number = number;
        this.asked = asked;
        this.names = names;
    }

    /** Counts a call, and tells whether it is one of those of a hot function that are only counted. */
    boolean isSampledOut() {
        long count = calls.incrementAndGet();
        if (count <= FULL_CALLS || count % ONE_OF == 0) return false;
        if (isTold(count)) Lines.writeCut(number, "sampled", sampledOf(count));
        return true;
    }

    boolean isHot() {
        return calls.get() > FULL_CALLS;
    }

    private long sampledOf(long count) {
        return count <= FULL_CALLS ? 0 : count - FULL_CALLS - (count - FULL_CALLS) / ONE_OF - failures.get();
    }

    /** Of the calls that are only counted; those that fail are recorded after all, as long as they are few. */
    boolean mayFail() {
        if (failures.incrementAndGet() <= FULL_CALLS) return true;
        failures.decrementAndGet();
        return false;
    }

    private AtomicLong cutsFor(String why) {
        return why.equals("depth") ? depth : why.equals("records") ? records : bytes;
    }

    void cut(String why) {
        long count = cutsFor(why).incrementAndGet();
        if (isTold(count)) Lines.writeCut(number, why, count);
    }

    /** A process may be killed at any moment: a sum is told whenever it grew by an eighth. */
    private static boolean isTold(long count) {
        return (count & (Long.highestOneBit(count) >> 3) - 1) == 0 || count < 8;
    }

    void tellCuts() {
        long sampled = sampledOf(calls.get());
        if (sampled > 0) Lines.writeCut(number, "sampled", sampled);
        for (String why : new String[] {"depth", "records", "bytes"}) {
            long count = cutsFor(why).get();
            if (count > 0) Lines.writeCut(number, why, count);
        }
    }
}
