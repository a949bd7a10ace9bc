package millwright;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which test runs in this thread: the outermost method of its stack that is one. */
final class Tests {
    /** By `type.method`. */
    private static final Map<String, Boolean> KNOWN = new ConcurrentHashMap<String, Boolean>();

    private Tests() {
    }

    /** `org.example.ShelfTest.adds`; null where none runs. */
    static String running() {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        for (int at = stack.length - 1; at >= 0; at--) {
            String type = stack[at].getClassName();
            if (isFramework(type)) continue;
            String name = type + "." + stack[at].getMethodName();
            Boolean known = KNOWN.get(name);
            if (known == null) KNOWN.put(name, known = isTest(type, stack[at].getMethodName()));
            if (known) return name;
        }
        return null;
    }

    private static boolean isFramework(String name) {
        return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.") || name.startsWith("millwright.")
            || name.startsWith("org.apache.maven.surefire.") || name.startsWith("org.gradle.")
            || name.startsWith("org.junit.") || name.startsWith("junit.") || name.startsWith("org.testng.");
    }

    private static boolean isTest(String typeName, String methodName) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            Class<?> type = Class.forName(typeName, false, loader == null ? ClassLoader.getSystemClassLoader() : loader);
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(methodName) && (isMarked(method) || isOld(type, methodName))) return true;
            }
        } catch (Throwable unreadable) {
            return false;
        }
        return false;
    }

    private static boolean isMarked(Method method) {
        for (Annotation annotation : method.getAnnotations()) {
            if (annotation.annotationType().getSimpleName().matches("\\w*Test|TestFactory|TestTemplate|Theory|Property")) return true;
        }
        return false;
    }

    private static boolean isOld(Class<?> type, String methodName) {
        if (!methodName.startsWith("test")) return false;
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            if (above.getName().equals("junit.framework.TestCase")) return true;
        }
        return false;
    }
}
