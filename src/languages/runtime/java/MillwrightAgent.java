import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/**
 * Watches the tests of a virtual machine from a thread of its own: writes which test runs (so that the one in which the machine
 * died is known), and ends a test that takes longer than its limit, with an error in its thread, else with the whole machine.
 * Argument: MILLISECONDS,FOLDER. Java 8 and later, nothing but the standard library.
 */
public final class MillwrightAgent implements Runnable {
    private static final long SAMPLE_MS = 100;
    /** Invocations of one test with other values look like one that never ends. */
    private static final int REPEATED = 10;

    private final long limit;
    private final File folder;
    private final String id = Long.toHexString(System.nanoTime());
    private String classPath = "";
    private final Map<Thread, Running> running = new HashMap<>();
    private final Map<String, Integer> kinds = new HashMap<>();

    private static final class Running {
        String test;
        long since;
        long stopped;
    }

    private MillwrightAgent(long limit, File folder) {
        this.limit = limit;
        this.folder = folder;
    }

    public static void premain(String argument) {
        String command = System.getProperty("sun.java.command", "");
        if (command.startsWith("org.codehaus.plexus") || command.startsWith("org.gradle.launcher")) return;
        int comma = argument.indexOf(',');
        long limit = Long.parseLong(argument.substring(0, comma));
        final MillwrightAgent agent = new MillwrightAgent(limit, new File(argument.substring(comma + 1)));
        agent.classPath = readClassPath();
        Thread thread = new Thread(agent, "millwright-watch");
        thread.setDaemon(true);
        thread.start();
        Runtime.getRuntime().addShutdownHook(new Thread("millwright-end") {
            @Override
            public void run() {
                agent.reportEnd();
                agent.reportMachine();
            }
        });
    }

    @Override
    public void run() {
        while (true) {
            try {
                Thread.sleep(SAMPLE_MS);
                sample();
            } catch (Throwable ignored) {
                // A watch that breaks must not break the tests.
            }
        }
    }

    private synchronized void sample() {
        long now = System.nanoTime() / 1000000;
        Map<Thread, StackTraceElement[]> stacks = Thread.getAllStackTraces();
        for (Iterator<Thread> threads = running.keySet().iterator(); threads.hasNext();) {
            if (!stacks.containsKey(threads.next())) threads.remove();
        }
        for (Map.Entry<Thread, StackTraceElement[]> each : stacks.entrySet()) {
            Thread thread = each.getKey();
            StackTraceElement frame = findTest(each.getValue());
            if (frame == null) {
                running.remove(thread);
                continue;
            }
            String test = frame.getClassName() + "#" + frame.getMethodName();
            Running known = running.get(thread);
            if (known == null || !known.test.equals(test)) {
                Running next = new Running();
                next.test = test;
                next.since = now;
                running.put(thread, next);
                write("running-" + id + ".txt", test + "\n");
            } else if (limit > 0 && now - known.since > limit * kinds.get(test)) {
                end(thread, known, now, each.getValue());
            }
        }
    }

    /** An error in the test's own thread where this Java can do that; the machine ends when that is of no use. */
    private void end(Thread thread, Running test, long now, StackTraceElement[] stack) {
        if (test.stopped == 0) {
            test.stopped = now;
            write("timeouts-" + id + ".txt", describe(test.test, stack));
            try {
                Thread.class.getMethod("stop").invoke(thread);
            } catch (Throwable gone) {
                Runtime.getRuntime().halt(97);
            }
        } else if (now - test.stopped > 2000) {
            Runtime.getRuntime().halt(97);
        }
    }

    private static String describe(String test, StackTraceElement[] stack) {
        StringBuilder text = new StringBuilder("@@test ").append(test).append('\n');
        for (StackTraceElement frame : stack) text.append("\tat ").append(frame).append('\n');
        return text.toString();
    }

    /** The test of a stack: the outermost method with a test's annotation or of a TestCase. */
    private StackTraceElement findTest(StackTraceElement[] stack) {
        for (int at = stack.length - 1; at >= 0; at--) {
            StackTraceElement frame = stack[at];
            if (isFramework(frame.getClassName())) continue;
            String test = frame.getClassName() + "#" + frame.getMethodName();
            Integer kind = kinds.get(test);
            if (kind == null) kinds.put(test, kind = kindOf(frame));
            if (kind > 0) return frame;
        }
        return null;
    }

    private static boolean isFramework(String name) {
        return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.")
            || name.startsWith("org.apache.maven.surefire.") || name.startsWith("org.gradle.")
            || name.startsWith("org.junit.") || name.startsWith("junit.") || name.startsWith("org.testng.");
    }

    /** How many limits a test may take; 0 for what is none. */
    private static int kindOf(StackTraceElement frame) {
        try {
            Class<?> type = findClass(frame.getClassName());
            if (type == null) return 0;
            for (Method method : type.getDeclaredMethods()) {
                if (!method.getName().equals(frame.getMethodName())) continue;
                for (Annotation annotation : method.getAnnotations()) {
                    String name = annotation.annotationType().getSimpleName();
                    if (name.equals("ParameterizedTest") || name.equals("RepeatedTest") || name.equals("TestFactory")
                        || name.equals("Theory")) return REPEATED;
                    if (name.equals("Test")) return isRepeated(type) ? REPEATED : 1;
                }
                if (method.getName().startsWith("test") && isTestCase(type)) return 1;
            }
        } catch (Throwable unreadable) {
            return 0;
        }
        return 0;
    }

    private static Class<?> findClass(String name) {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            ClassLoader loader = thread.getContextClassLoader();
            try {
                if (loader != null) return Class.forName(name, false, loader);
            } catch (Throwable elsewhere) {
                // The next thread may know it.
            }
        }
        return null;
    }

    private static boolean isRepeated(Class<?> type) {
        for (Annotation annotation : type.getAnnotations()) {
            if (annotation.annotationType().getSimpleName().equals("RunWith")
                && annotation.toString().contains("Parameterized")) return true;
        }
        return false;
    }

    private static boolean isTestCase(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            if (above.getName().equals("junit.framework.TestCase")) return true;
        }
        return false;
    }

    /** A test that is still on a stack while the machine ends was running when something called System.exit. */
    private void reportEnd() {
        try {
            StringBuilder text = new StringBuilder();
            for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
                StackTraceElement frame = findTest(stack);
                if (frame != null) text.append(describe(frame.getClassName() + "#" + frame.getMethodName(), stack));
            }
            if (text.length() > 0) write("ended-" + id + ".txt", text.toString());
        } catch (Throwable ignored) {
            // Nothing more can be said.
        }
    }

    /** The class path, of a jar that holds nothing but one (surefire's booter) what it names; it is gone when the machine ends. */
    private static String readClassPath() {
        String path = System.getProperty("java.class.path", "");
        if (!path.endsWith(".jar") || path.contains(File.pathSeparator)) return path;
        try (JarFile jar = new JarFile(path)) {
            String named = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (named == null) return path;
            StringBuilder all = new StringBuilder();
            URI base = new File(path).getAbsoluteFile().toURI();
            for (String each : named.trim().split("\\s+")) {
                all.append(new File(base.resolve(each)).getPath()).append(File.pathSeparator);
            }
            return all.toString();
        } catch (Exception unreadable) {
            return path;
        }
    }

    /** What a virtual machine needs to run these tests again without the build tool: read by MillwrightBatch. */
    private void reportMachine() {
        try {
            Properties machine = new Properties();
            for (String name : System.getProperties().stringPropertyNames()) {
                machine.setProperty("property." + name, System.getProperty(name));
            }
            machine.setProperty("path", classPath);
            int number = 0;
            for (String each : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
                if (!each.startsWith("-javaagent:") && !each.startsWith("-D")) {
                    machine.setProperty("argument." + number++, each);
                }
            }
            try (FileOutputStream out = new FileOutputStream(new File(folder, "machine-" + id + ".properties"))) {
                machine.store(out, null);
            }
        } catch (Throwable ignored) {
            // Then each candidate is tested by a start of its own.
        }
    }

    private void write(String name, String text) {
        try (FileOutputStream out = new FileOutputStream(new File(folder, name), true)) {
            out.write(text.getBytes("UTF-8"));
        } catch (IOException full) {
            // Without a report there is nothing to watch for.
        }
    }
}
