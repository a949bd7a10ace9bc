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
    /** Arguments that the call may change, with what was told of them: else null. */
    private Object[] arguments;
    private String[] told;

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
        arguments = null;
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
                int start = line.append(',').length();
                Values.append(line, values[at], recorder.plan().mostValue);
                if (Values.mayChange(values[at])) keep(values, at, line.substring(start));
                line.append(']');
            }
            line.append(']');
        }
        Lines.write(line.append(",\"at\":").append(Lines.at()).append('}'));
    }

    private void keep(Object[] values, int at, String text) {
        if (told == null) told = new String[values.length];
        arguments = values;
        told[at] = text;
    }

    /** What the call changed of its arguments. */
    private void appendChanges(StringBuilder line) {
        if (arguments == null || Lines.isFull(recorder.plan().mostBytes)) return;
        String separator = ",\"after\":[";
        for (int at = 0; at < told.length; at++) {
            if (told[at] == null) continue;
            StringBuilder text = new StringBuilder();
            Values.append(text, arguments[at], recorder.plan().mostValue);
            if (told[at].contentEquals(text)) continue;
            Escapes.quote(line.append(separator).append('['), function.names[at]).append(',').append(text).append(']');
            separator = ",";
        }
        if (separator.equals(",")) line.append(']');
    }

    private void writeReturn() {
        StringBuilder line = out("return", Lines.at());
        if (value != NOTHING && !Lines.isFull(recorder.plan().mostBytes)) {
            Values.append(line.append(",\"value\":"), value, recorder.plan().mostValue);
        }
        appendChanges(line);
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
        appendChanges(line);
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
