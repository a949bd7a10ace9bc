package millwright;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Reads fields; those of modules that are closed to us by what the traced classes lend us, or as far as this Java does not warn of it. */
final class Peek {
    /** What the traced class of a module may see, by the module. */
    private static final Map<Object, MethodHandles.Lookup> LOOKUPS = new ConcurrentHashMap<Object, MethodHandles.Lookup>();
    private static final Map<Field, MethodHandle> GETTERS = new ConcurrentHashMap<Field, MethodHandle>();
    private static Class<?> unsafeType;
    private static Method offset;
    private static final Object UNSAFE = findUnsafe();

    private Peek() {
    }

    /** From Java 9 on a class may look into the classes of its own module. */
    static void lend(MethodHandles.Lookup lookup) {
        try {
            LOOKUPS.put(moduleOf(lookup.lookupClass()), lookup);
        } catch (ReflectiveOperationException old) {
            return;
        }
    }

    private static Object moduleOf(Class<?> type) throws ReflectiveOperationException {
        return Class.class.getMethod("getModule").invoke(type);
    }

    private static Object findUnsafe() {
        try {
            String version = System.getProperty("java.specification.version", "");
            if (!version.startsWith("1.") && Integer.parseInt(version) >= 23) return null;
            unsafeType = Class.forName("sun.misc.Unsafe");
            Field own = unsafeType.getDeclaredField("theUnsafe");
            own.setAccessible(true);
            offset = unsafeType.getMethod("objectFieldOffset", Field.class);
            return own.get(null);
        } catch (Throwable absent) {
            return null;
        }
    }

    /** Whether it can be read. */
    static boolean open(Field field) {
        try {
            field.setAccessible(true);
            return true;
        } catch (RuntimeException closed) {
            return isLent(field) || offsetOf(field) >= 0;
        }
    }

    private static boolean isLent(Field field) {
        try {
            Class<?> type = field.getDeclaringClass();
            MethodHandles.Lookup lookup = LOOKUPS.get(moduleOf(type));
            if (lookup == null) return false;
            Method find = MethodHandles.class.getMethod("privateLookupIn", Class.class, MethodHandles.Lookup.class);
            GETTERS.put(field, ((MethodHandles.Lookup) find.invoke(null, type, lookup)).unreflectGetter(field));
            return true;
        } catch (ReflectiveOperationException closed) {
            return false;
        }
    }

    private static long offsetOf(Field field) {
        try {
            return UNSAFE == null ? -1 : (Long) offset.invoke(UNSAFE, field);
        } catch (Throwable hidden) {
            return -1;
        }
    }

    static Object read(Field field, Object value) throws Throwable {
        MethodHandle getter = GETTERS.get(field);
        if (getter != null) return getter.invoke(value);
        try {
            return field.get(value);
        } catch (IllegalAccessException closed) {
            String type = field.getType().isPrimitive() ? field.getType().getName() : "Object";
            String name = "get" + Character.toUpperCase(type.charAt(0)) + type.substring(1);
            return unsafeType.getMethod(name, Object.class, long.class).invoke(UNSAFE, value, offsetOf(field));
        }
    }

    /** The first of the names that a class of the value's has; null where none can be read. */
    static Object find(Object value, String... names) {
        for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
            for (String name : names) {
                try {
                    Field field = type.getDeclaredField(name);
                    if (open(field)) return read(field, value);
                } catch (Throwable absent) {
                    continue;
                }
            }
        }
        return null;
    }
}
