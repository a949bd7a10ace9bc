package millwright;

import java.util.AbstractList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What traced classes call. They know it as a list only, for every class of every loader and module sees that type: `get(function)`
 * begins a call, null where it is not recorded; `add(function, exception)` tells of one that fails and was not recorded.
 */
public final class Recorder extends AbstractList<Object> {
    private final Plan plan;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger recorded = new AtomicInteger();

    private Recorder(Plan plan) {
        this.plan = plan;
    }

    /** Called once a machine, under a lock; null where nothing can be recorded. */
    public static Object start(ThreadGroup root) {
        Recorder recorder = null;
        try {
            Plan plan = Plan.read();
            if (plan != null) recorder = new Recorder(plan);
            Registry.register(root, recorder);
            if (recorder != null) Lines.closeAtEnd(plan);
        } catch (Throwable broken) {
            return recorder;
        }
        return recorder;
    }

    @Override
    public Object get(int number) {
        Function function = plan.function(number);
        // First of all, and at little cost: most calls of a long run are not recorded.
        if (function.asked && function.isSampledOut()) return null;
        ThreadState state = ThreadState.current();
        // Busy: called by the recording itself, which asks an exception for its message.
        if (state.busy) return null;
        state.busy = true;
        try {
            return begin(function, state);
        } finally {
            state.busy = false;
        }
    }

    private Call begin(Function function, ThreadState state) {
        Call parent = state.top;
        int distance = 0;
        if (!function.asked) {
            if (parent == null || parent.distance >= plan.reach) return null;
            distance = parent.distance + 1;
            if (function.isSampledOut()) return null;
        }
        int depth = parent == null ? 1 : parent.depth + 1;
        String refused = refuse(depth);
        if (refused != null) {
            function.cut(refused);
            return null;
        }
        state.introduce();
        Call call = new Call(this, calls.incrementAndGet(), function, state, distance, depth);
        if (parent == null) call.test = Tests.running();
        state.top = call;
        if (function.names == null || function.names.length == 0) call.writeIn(null);
        return call;
    }

    /** Not recorded for it is one of many, but it fails. */
    @Override
    public void add(int number, Object thrown) {
        Function function = plan.function(number);
        ThreadState state = ThreadState.current();
        if (state.busy || !function.asked || !function.isHot()) return;
        int depth = state.top == null ? 1 : state.top.depth + 1;
        if (refuse(depth) != null || !function.mayFail()) return;
        state.busy = true;
        try {
            state.introduce();
            new Call(this, calls.incrementAndGet(), function, state, 0, depth).writeLate((Throwable) thrown);
        } finally {
            state.busy = false;
        }
    }

    /** `set(0, lookup)`: what a traced class may see of its own module. */
    @Override
    public Object set(int index, Object lookup) {
        Peek.lend((java.lang.invoke.MethodHandles.Lookup) lookup);
        return null;
    }

    private String refuse(int depth) {
        if (Lines.isFull(plan.mostBytes)) return "bytes";
        if (depth > plan.mostDepth) return "depth";
        if (recorded.incrementAndGet() > plan.mostRecords) {
            recorded.decrementAndGet();
            return "records";
        }
        return null;
    }

    Plan plan() {
        return plan;
    }

    @Override
    public int size() {
        return 0;
    }
}
