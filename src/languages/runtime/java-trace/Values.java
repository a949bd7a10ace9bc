package millwright;

import java.lang.reflect.Array;
import java.util.Map;

/** A value as `{"j":…}` where it is plain data, `{"d":…}` where it has a text, else `{"t":…}`, its type. */
final class Values {
    private static final int DEEPEST = 6;
    private static final long SAFE = 1L << 53;

    private final StringBuilder out = new StringBuilder();
    private final int room;

    private Values(int room) {
        this.room = room;
    }

    static void append(StringBuilder line, Object value, int room) {
        int start = line.length();
        try {
            appendKnown(line, value, room);
        } catch (Throwable unreadable) {
            // Another thread changes it, or the stack has no room for the look.
            line.setLength(start);
            appendType(line, value);
        }
    }

    /** False for plain data, and for what is known by its type alone. */
    static boolean mayChange(Object value) {
        if (value == null) return false;
        switch (Shape.of(value.getClass()).kind) {
            case ENUM:
            case TYPE:
            case BARE:
                return false;
            case TEXT:
                return value.getClass().getName().startsWith("java.util.");
            default:
                return !(value instanceof String);
        }
    }

    private static void appendType(StringBuilder line, Object value) {
        Escapes.quote(line.append("{\"t\":"), Shape.nameOf(value.getClass())).append('}');
    }

    private static void appendKnown(StringBuilder line, Object value, int room) {
        if (value instanceof String) {
            String text = (String) value;
            Escapes.quote(line.append("{\"j\":"), Escapes.head(text, room));
            if (text.length() > room) line.append(",\"cut\":").append(text.length());
            line.append('}');
            return;
        }
        Values plain = new Values(room);
        if (plain.json(value, 0)) {
            line.append("{\"j\":").append(plain.out).append('}');
            return;
        }
        Texts texts = new Texts(room);
        if (!texts.write(value)) {
            appendType(line, value);
            return;
        }
        String text = texts.toString();
        Escapes.quote(line.append("{\"d\":"), Escapes.head(text, room));
        if (text.length() > room) line.append(",\"cut\":").append(text.length());
        line.append('}');
    }

    /** False where it is not plain data, or too much. */
    private boolean json(Object value, int depth) {
        if (out.length() > room || depth > DEEPEST) return false;
        if (value == null || value instanceof Boolean) out.append(value);
        else if (value instanceof Integer || value instanceof Short || value instanceof Byte) out.append(value);
        else if (value instanceof Long) {
            long number = (Long) value;
            if (number > SAFE || number < -SAFE) return false;
            out.append(number);
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number) || 1 / number == Double.NEGATIVE_INFINITY) return false;
            out.append(value);
        } else if (value instanceof Character) Escapes.quote(out, value.toString());
        else if (value instanceof String) {
            if (((String) value).length() > room) return false;
            Escapes.quote(out, (String) value);
        } else return jsonMany(value, depth);
        return true;
    }

    private boolean jsonMany(Object value, int depth) {
        switch (Shape.of(value.getClass()).kind) {
            case ARRAY:
                return jsonArray(value, depth);
            case LIST:
                return jsonList((Iterable<?>) value, depth);
            case MAP:
                return jsonMap((Map<?, ?>) value, depth);
            default:
                return false;
        }
    }

    private boolean jsonArray(Object value, int depth) {
        int length = Array.getLength(value);
        if (length > room) return false;
        out.append('[');
        for (int at = 0; at < length; at++) {
            if (at > 0) out.append(',');
            if (!json(Array.get(value, at), depth + 1)) return false;
        }
        out.append(']');
        return true;
    }

    private boolean jsonList(Iterable<?> values, int depth) {
        out.append('[');
        String separator = "";
        for (Object each : values) {
            out.append(separator);
            if (!json(each, depth + 1)) return false;
            separator = ",";
        }
        out.append(']');
        return true;
    }

    private boolean jsonMap(Map<?, ?> values, int depth) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> each : values.entrySet()) {
            if (!(each.getKey() instanceof String)) return false;
            Escapes.quote(out.append(separator), (String) each.getKey()).append(':');
            if (!json(each.getValue(), depth + 1)) return false;
            separator = ",";
        }
        out.append('}');
        return true;
    }
}
