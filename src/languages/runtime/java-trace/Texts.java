package millwright;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The text of a value for people: `Point{x=1, tags=["a"]}`. */
final class Texts {
    private static final int DEEPEST = 4;
    private static final int MOST_ELEMENTS = 40;

    private final StringBuilder out = new StringBuilder();
    private final int room;
    /** What is being shown: it may lead to itself. */
    private final Object[] around = new Object[DEEPEST + 2];

    Texts(int room) {
        this.room = room;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    /** False where only the type could be told. */
    boolean write(Object value) {
        return add(value, 0);
    }

    private boolean isFull() {
        return out.length() > room;
    }

    private boolean add(Object value, int depth) {
        if (value instanceof String) Escapes.quote(out, Escapes.head((String) value, room));
        else if (value instanceof Character) out.append('\'').append(value).append('\'');
        else if (value == null) out.append("null");
        else return addObject(value, depth);
        return true;
    }

    private boolean addObject(Object value, int depth) {
        Shape shape = Shape.of(value.getClass());
        switch (shape.kind) {
            case TEXT:
                out.append(value);
                return true;
            case CHARACTERS:
                StringBuilder characters = (StringBuilder) value;
                Escapes.quote(out.append("StringBuilder("), Escapes.head(characters.substring(0, Math.min(characters.length(), room + 1)), room));
                out.append(')');
                return true;
            case ENUM:
                out.append(Shape.nameOf(((Enum<?>) value).getDeclaringClass())).append('.').append(((Enum<?>) value).name());
                return true;
            case TYPE:
                out.append(Shape.nameOf((Class<?>) value)).append(".class");
                return true;
            case BARE:
                if (depth > 0) out.append('<').append(shape.name).append('>');
                return depth > 0;
            default:
                return addParts(value, shape, depth);
        }
    }

    private boolean addParts(Object value, Shape shape, int depth) {
        for (int at = 0; at < depth; at++) {
            if (around[at] != value) continue;
            out.append("<the same ").append(shape.name).append('>');
            return true;
        }
        if (depth > DEEPEST || isFull()) {
            out.append(shape.name).append("{…}");
            return true;
        }
        around[depth] = value;
        switch (shape.kind) {
            case ARRAY:
                addArray(value, Array.getLength(value), depth);
                return true;
            case LIST:
                addAll((Collection<?>) value, depth);
                return true;
            case SET:
                out.append(shape.name.startsWith("ImmutableCollections") ? "Set" : shape.name);
                addAll((Collection<?>) value, depth);
                return true;
            case MAP:
                addMap((Map<?, ?>) value, depth);
                return true;
            case ENTRY:
                add(((Map.Entry<?, ?>) value).getKey(), depth + 1);
                out.append('=');
                add(((Map.Entry<?, ?>) value).getValue(), depth + 1);
                return true;
            case HOLDER:
                out.append(shape.name).append('(');
                add(heldBy(value), depth + 1);
                out.append(')');
                return true;
            case WRAPPER:
                Object inner = Peek.find(value, "c", "m");
                return inner == null ? addBare(shape, depth) : add(inner, depth);
            case VECTOR:
                Object elements = Peek.find(value, "elementData");
                Object count = Peek.find(value, "elementCount");
                if (elements == null || !(count instanceof Integer)) return addBare(shape, depth);
                addArray(elements, Math.min((Integer) count, Array.getLength(elements)), depth);
                return true;
            default:
                addFields(value, shape, depth);
                return true;
        }
    }

    private boolean addBare(Shape shape, int depth) {
        if (depth > 0) out.append('<').append(shape.name).append('>');
        return depth > 0;
    }

    private static Object heldBy(Object value) {
        if (value instanceof Optional) return ((Optional<?>) value).isPresent() ? ((Optional<?>) value).get() : null;
        if (value instanceof AtomicReference) return ((AtomicReference<?>) value).get();
        return ((java.lang.ref.Reference<?>) value).get();
    }

    private void addArray(Object value, int length, int depth) {
        out.append('[');
        int at = 0;
        for (; at < length && at < MOST_ELEMENTS && !isFull(); at++) {
            if (at > 0) out.append(", ");
            add(Array.get(value, at), depth + 1);
        }
        tellMore(length - at, at);
        out.append(']');
    }

    private void addAll(Collection<?> values, int depth) {
        out.append('[');
        int at = 0;
        for (Object each : values) {
            if (at >= MOST_ELEMENTS || isFull()) break;
            if (at++ > 0) out.append(", ");
            add(each, depth + 1);
        }
        tellMore(values.size() - at, at);
        out.append(']');
    }

    private void addMap(Map<?, ?> values, int depth) {
        out.append('{');
        int at = 0;
        for (Map.Entry<?, ?> each : values.entrySet()) {
            if (at >= MOST_ELEMENTS || isFull()) break;
            if (at++ > 0) out.append(", ");
            add(each.getKey(), depth + 1);
            out.append('=');
            add(each.getValue(), depth + 1);
        }
        tellMore(values.size() - at, at);
        out.append('}');
    }

    private void tellMore(int more, int shown) {
        if (more > 0) out.append(shown > 0 ? ", " : "").append("… ").append(more).append(" more");
    }

    private void addFields(Object value, Shape shape, int depth) {
        out.append(shape.name).append('{');
        String separator = "";
        if (shape.kind == Shape.Kind.THROWABLE) {
            String message = Throwables.messageOf((Throwable) value);
            if (message != null) Escapes.quote(out, Escapes.head(message, room));
            separator = message == null ? "" : ", ";
        }
        int at = 0;
        for (; at < shape.fields.length && !isFull(); at++) {
            Field field = shape.fields[at];
            out.append(separator).append(field.getName()).append('=');
            try {
                add(Peek.read(field, value), depth + 1);
            } catch (Throwable closed) {
                out.append('<').append(Shape.nameOf(field.getType())).append('>');
            }
            separator = ", ";
        }
        tellMore(shape.fields.length - at + shape.moreFields, at);
        out.append('}');
    }
}
