package millwright;

import java.util.AbstractList;

/**
 * A call that runs. Traced code knows it as a list: `add(0, arguments)`, `add(1, result)`, `add(2, exception)`, `add(3, null)` ends it,
 * `add(4, result)` ends it with what it made.
 */
final class Call extends AbstractList<Object> {
    private static final Object NOTHING = new Object();

    final int number;
    final int distance;
    final int depth;
    volatile boolean ended;
    String test;
    private final Recorder recorder;
    private final Function function;
    private final ThreadState state;
    private final Call parent;
    private Object value = NOTHING;
    private Throwable thrown;

    Call(Recorder recorder, int number, Function function, ThreadState state, int distance, int depth) {
        this.recorder = recorder;
        this.number = number;
        this.function = function;
        this.state = state;
        this.parent = state.top;
        this.distance = distance;
        this.depth = depth;
    }

    @Override
    public void add(int kind, Object data) {
        boolean busy = state.busy;
        state.busy = true;
        try {
            if (kind == 0) writeIn((Object[]) data);
            else if (kind == 1) value = data;
            else if (kind == 2) thrown = (Throwable) data;
            else {
                if (kind == 4) value = data;
                end();
            }
        } finally {
            state.busy = busy;
        }
    }

    private void end() {
        state.top = parent;
        ended = true;
        if (thrown != null) writeThrow(thrown);
        else writeReturn();
        value = NOTHING;
    }

    void writeIn(Object[] values) {
        StringBuilder line = new StringBuilder(160).append("{\"k\":\"in\",\"c\":").append(number);
        line.append(",\"f\":").append(function.number);
        if (parent != null) line.append(",\"p\":").append(parent.number);
        line.append(",\"th\":").append(state.number);
        if (test != null) Escapes.quote(line.append(",\"test\":"), test);
        if (function.names != null) {
            line.append(",\"args\":[");
            for (int at = 0; values != null && at < values.length; at++) {
                if (at > 0) line.append(',');
                Escapes.quote(line.append('['), function.names[at]);
                Values.append(line.append(','), values[at], recorder.plan().mostValue);
                line.append(']');
            }
            line.append(']');
        }
        Lines.write(line.append(",\"at\":").append(Lines.at()).append('}'));
    }

    private void writeReturn() {
        StringBuilder line = out("return", Lines.at());
        if (value != NOTHING && !Lines.isFull(recorder.plan().mostBytes)) {
            Values.append(line.append(",\"value\":"), value, recorder.plan().mostValue);
        }
        Lines.write(line.append('}'));
    }

    private void writeThrow(Throwable thrown) {
        StringBuilder line = out("throw", Lines.at());
        Escapes.quote(line.append(",\"message\":"), Throwables.describe(thrown, recorder.plan().mostValue));
        if (state.thrown != thrown) {
            state.thrown = thrown;
            state.place = Throwables.place(thrown, recorder.plan());
        }
        if (state.place != null) Escapes.quote(line.append(",\"place\":"), state.place);
        Lines.write(line.append('}'));
    }

    private StringBuilder out(String how, long at) {
        StringBuilder line = new StringBuilder(160).append("{\"k\":\"out\",\"c\":").append(number);
        return line.append(",\"at\":").append(at).append(",\"how\":\"").append(how).append('"');
    }

    /** Both ends of a call that is known only now that it fails. */
    void writeLate(Throwable failure) {
        StringBuilder line = new StringBuilder(96).append("{\"k\":\"in\",\"c\":").append(number);
        line.append(",\"f\":").append(function.number);
        if (parent != null) line.append(",\"p\":").append(parent.number);
        Lines.write(line.append(",\"th\":").append(state.number).append(",\"at\":").append(Lines.at()).append('}'));
        writeThrow(failure);
    }

    @Override
    public Object get(int index) {
        return null;
    }

    @Override
    public int size() {
        return 0;
    }
}
