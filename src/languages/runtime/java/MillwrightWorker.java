import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tests one candidate after the other in one machine: the project's classes are loaded anew for each, its libraries once. A test
 * that takes too long is stopped, else the machine ends and is started again behind it.
 */
public final class MillwrightWorker implements MillwrightEvents {
    private final OutputStream out;
    private final long timeout;
    private final boolean stop;
    /** CLASS TAB METHOD TAB NUMBER → the key as it was given. */
    private final Map<String, String> keys = new HashMap<>();
    /** The key → the folder of its module. */
    private final Map<String, String> folders = new HashMap<>();
    /** Of this candidate. */
    private final Set<String> reported = Collections.synchronizedSet(new HashSet<String>());
    /** Counters by file, where classes with counters register; null where nobody asks for coverage. */
    private Map<String, Object[]> counters;
    private volatile String candidate = "0";
    private volatile String running;
    private volatile long since;
    /** The machine's processor time when the running test began. */
    private volatile long cpuSince;
    private volatile boolean over;
    private volatile boolean abandoned;
    private volatile boolean broken;
    /** A thread of a test that its own limit ended is still at work. */
    private volatile boolean busy;
    /** Before the candidate's tests. */
    private volatile Set<Thread> before = Collections.emptySet();

    private MillwrightWorker(OutputStream out, long timeout, boolean stop) {
        this.out = out;
        this.timeout = timeout;
        this.stop = stop;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(new File(arguments[0]).toPath(), StandardCharsets.UTF_8);
        File progress = new File(arguments[2]);
        int tests = Integer.parseInt(arguments[3]);
        Properties machine = new Properties();
        try (InputStream in = new FileInputStream(arguments[6])) {
            machine.load(in);
        }
        for (String name : machine.stringPropertyNames()) {
            if (!name.startsWith("property.")) continue;
            String own = name.substring(9);
            if (System.getProperty(own) == null) System.setProperty(own, machine.getProperty(name));
        }
        System.setProperty("java.class.path", machine.getProperty("path"));
        OutputStream out = new FileOutputStream(arguments[1], true);
        System.setOut(new PrintStream(new FileOutputStream("/dev/null")));
        System.setErr(System.out);
        MillwrightWorker worker = new MillwrightWorker(out, Long.parseLong(arguments[4]), Boolean.parseBoolean(arguments[5]));
        worker.readTests(lines.subList(0, tests));
        if (arguments.length > 8) {
            worker.counters = new ConcurrentHashMap<>();
            System.getProperties().put("millwright.counters", worker.counters);
        }
        List<URL> jars = new ArrayList<>();
        List<URL> folders = new ArrayList<>();
        for (String each : machine.getProperty("path").split(File.pathSeparator)) {
            File file = new File(each);
            if (file.exists()) (file.isDirectory() ? folders : jars).add(file.toURI().toURL());
        }
        folders.add(0, new File(arguments[7]).toURI().toURL());
        URLClassLoader libraries = new URLClassLoader(jars.toArray(new URL[0]), MillwrightWorker.class.getClassLoader());
        for (int at = Integer.parseInt(new String(Files.readAllBytes(progress.toPath()), StandardCharsets.UTF_8).trim()); at < lines.size(); at++) {
            Files.write(progress.toPath(), String.valueOf(at).getBytes(StandardCharsets.UTF_8));
            boolean clean = worker.test(lines.get(at), new URLClassLoader(folders.toArray(new URL[0]), libraries));
            Files.write(progress.toPath(), String.valueOf(at + 1).getBytes(StandardCharsets.UTF_8));
            if (!clean) Runtime.getRuntime().halt(75);
        }
        Runtime.getRuntime().halt(0);
    }

    /** A line is FOLDER TAB CLASS TAB NAME; the name may end in the number of its values, `adds(int)[2]`. */
    private void readTests(List<String> lines) {
        for (String line : lines) {
            String[] parts = line.split("\t", 3);
            String name = parts[2];
            String method = name.replaceAll("[^\\w$].*", "");
            String number = name.matches(".*\\[\\d+\\]") ? name.replaceAll(".*\\[(\\d+)\\]$", "$1") : "";
            folders.put(parts[1] + "\t" + name, parts[0]);
            keys.put(parts[1] + "\t" + name + "\t", parts[1] + "\t" + name);
            keys.put(parts[1] + "\t" + method + "\t" + number, parts[1] + "\t" + name);
        }
    }

    /** False when a thread of the candidate is still at work: the machine cannot be used again. */
    private boolean test(String id, final URLClassLoader loader) throws Exception {
        System.setProperty("MILLWRIGHT_CANDIDATE", id);
        candidate = id;
        over = false;
        abandoned = false;
        running = null;
        reported.clear();
        busy = false;
        before = Thread.getAllStackTraces().keySet();
        Thread thread = new Thread(() -> runAll(loader), "main");
        thread.setContextClassLoader(loader);
        since = now();
        thread.start();
        boolean clean = true;
        while (thread.isAlive()) {
            thread.join(20);
            if (!thread.isAlive() || now() - since < (running == null ? 10 * timeout + 10000 : timeout) || isStarved()) continue;
            String hung = running;
            StackTraceElement[] stack = thread.getStackTrace();
            if (counters != null && hung != null) {
                reportLines(hung);
                if (stopped(thread, hung)) continue;
            }
            abandoned = true;
            if (hung != null) reportHung(hung, describe(stack));
            // The warm machine goes on when nothing of the candidate is at work.
            clean = hung != null && stopped(thread, null);
            if (clean) endLeftThreads();
            break;
        }
        loader.close();
        return clean && !busy;
    }

    /** JUnit leaves the thread of a test that ran out of its own time: it would take its core from all that follows. */
    private void endLeftThreads() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            boolean isOurs = before.contains(thread) || thread == Thread.currentThread() || thread.getName().equals("main");
            if (isOurs || thread.getState() != Thread.State.RUNNABLE) continue;
            try {
                Thread.class.getMethod("stop").invoke(thread);
                thread.join(200);
            } catch (Exception gone) {
                // This Java has no way to stop a thread.
            }
            busy |= thread.isAlive();
        }
    }

    /** Multiples of the limit: on a busy machine, a test gets half of it in processor time before it counts as endless. */
    private static final int MOST_PATIENCE = 10;

    /** Its threads have work, and the machine had no time for them. */
    private boolean isStarved() {
        if (running == null || cpuSince < 0 || now() - since > MOST_PATIENCE * timeout) return false;
        return cpuNow() - cpuSince < timeout / 2 && hasWork();
    }

    private boolean hasWork() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            boolean isOurs = before.contains(thread) || thread == Thread.currentThread();
            if (!isOurs && thread.getState() == Thread.State.RUNNABLE) return true;
        }
        return false;
    }

    /** Milliseconds of this machine; -1 if this Java does not tell. */
    private static long cpuNow() {
        java.lang.management.OperatingSystemMXBean system = java.lang.management.ManagementFactory.getOperatingSystemMXBean();
        if (!(system instanceof com.sun.management.OperatingSystemMXBean)) return -1;
        return ((com.sun.management.OperatingSystemMXBean) system).getProcessCpuTime() / 1000000;
    }

    /** True when the thread has left the test, or has ended where no test is named: this Java can still stop one. */
    private boolean stopped(Thread thread, String hung) {
        try {
            Thread.class.getMethod("stop").invoke(thread);
            thread.join(1000);
        } catch (Exception gone) {
            return false;
        }
        return hung == null ? !thread.isAlive() : !hung.equals(running);
    }

    /** The test, and what was asked for of its other values, which come behind it. */
    private void reportHung(String hung, String stack) {
        String method = hung.substring(0, hung.lastIndexOf('\t') + 1).replaceAll("\\[.*", "");
        for (String each : keys.keySet()) {
            if (each.equals(hung) || each.startsWith(method) && !reported.contains(keys.get(each))) {
                report(each, "failed", "TimeoutError", "the test took longer than its time limit", stack);
            }
        }
    }

    private void runAll(ClassLoader loader) {
        Map<String, List<String>> classes = new LinkedHashMap<>();
        for (String key : keys.values()) {
            int tab = key.indexOf('\t');
            List<String> names = classes.computeIfAbsent(key.substring(0, tab), any -> new ArrayList<>());
            String name = key.substring(tab + 1);
            if (!names.contains(name)) names.add(name);
        }
        for (Map.Entry<String, List<String>> each : classes.entrySet()) {
            if (over || abandoned) return;
            List<String> names = each.getValue().contains("") ? new ArrayList<>() : each.getValue();
            try {
                Class<?> type = Class.forName(each.getKey(), true, loader);
                broken = false;
                if (!runWith("MillwrightPlatform", loader, type, methodsOf(names))) runWith("MillwrightJUnit4", loader, type, names);
                // The key of the whole class: it has passed when its set-up did not fail.
                if (each.getValue().contains("") && !broken && !abandoned) ended(each.getKey() + "\t\t", "passed", null);
            } catch (Throwable failure) {
                Throwable cause = failure instanceof InvocationTargetException ? failure.getCause() : failure;
                for (String name : each.getValue()) ended(each.getKey() + "\t" + name + "\t", "failed", cause);
            }
        }
    }

    private static List<String> methodsOf(List<String> names) {
        List<String> methods = new ArrayList<>();
        for (String name : names) methods.add(name.replaceAll("[^\\w$].*", ""));
        return methods;
    }

    private boolean runWith(String adapter, ClassLoader loader, Class<?> type, List<String> names) throws Exception {
        Class<?> found;
        try {
            found = Class.forName(adapter, true, loader);
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
        found.getMethod("run", Class.class, List.class, MillwrightEvents.class).invoke(null, type, names, this);
        return true;
    }

    @Override
    public void started(String test) {
        if (counters != null) forgetLines();
        since = now();
        cpuSince = cpuNow();
        running = test;
    }

    private void forgetLines() {
        for (Object[] file : counters.values()) Arrays.fill((boolean[]) file[0], false);
    }

    /** The executed lines of each file, as ranges: `3-5,9`. */
    private void reportLines(String test) {
        String key = keys.get(test);
        if (key == null) return;
        int tab = key.indexOf('\t');
        StringBuilder line = new StringBuilder("{\"folder\":").append(MillwrightJson.quote(folders.get(key)));
        line.append(",\"target\":").append(MillwrightJson.quote(key.substring(0, tab))).append(",\"name\":").append(MillwrightJson.quote(key.substring(tab + 1)));
        line.append(",\"lines\":{");
        String comma = "";
        for (Map.Entry<String, Object[]> file : counters.entrySet()) {
            boolean[] seen = (boolean[]) file.getValue()[0];
            String[] ranges = ((String) file.getValue()[1]).split(";");
            StringBuilder hit = new StringBuilder();
            for (int at = 0; at < seen.length; at++) if (seen[at]) hit.append(hit.length() == 0 ? "" : ",").append(ranges[at]);
            if (hit.length() == 0) continue;
            line.append(comma).append('"').append(file.getKey()).append("\":\"").append(hit).append('"');
            comma = ",";
        }
        write(line.append("}}\n").toString());
    }

    private void write(String line) {
        try {
            out.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (java.io.IOException full) {
            Runtime.getRuntime().halt(74);
        }
    }

    @Override
    public void ended(String test, String status, Throwable failure) {
        running = null;
        since = now();
        broken |= test.endsWith("\t\t") && failure != null;
        if (failure != null && failure.getClass().getSimpleName().matches("TestTimedOut.*|Timeout.*")) endLeftThreads();
        if (abandoned || over) return;
        if (counters != null) {
            if (!status.equals("skipped")) reportLines(test);
            return;
        }
        if (test.endsWith("\t\t") && failure != null && !keys.containsKey(test)) {
            // The set-up of a whole class: none of its tests ran.
            for (String each : new ArrayList<>(keys.keySet())) {
                if (each.startsWith(test.substring(0, test.length() - 1))) ended(each, status, failure);
            }
            return;
        }
        if (failure == null) report(test, status, null, null, null);
        else {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text, true));
            report(test, status, failure.getClass().getSimpleName(), String.valueOf(failure.getMessage()), text.toString());
        }
        if (stop && status.equals("failed") && keys.containsKey(test) && !candidate.equals("0")) over = true;
    }

    @Override
    public boolean isOver() {
        return over || abandoned;
    }

    private synchronized void report(String test, String status, String type, String message, String stack) {
        String key = keys.get(test);
        if (key == null) return;
        reported.add(key);
        int tab = key.indexOf('\t');
        StringBuilder line = new StringBuilder("{\"candidate\":").append(candidate);
        line.append(",\"target\":").append(MillwrightJson.quote(key.substring(0, tab))).append(",\"name\":").append(MillwrightJson.quote(key.substring(tab + 1)));
        line.append(",\"status\":").append(MillwrightJson.quote(status)).append(",\"durationMs\":").append(Math.max(0, now() - since));
        if (type != null) {
            line.append(",\"type\":").append(MillwrightJson.quote(type)).append(",\"message\":").append(MillwrightJson.quote(message));
            line.append(",\"stack\":").append(MillwrightJson.quote(stack));
        }
        write(line.append("}\n").toString());
    }

    private static String describe(StackTraceElement[] stack) {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement frame : stack) text.append("\tat ").append(frame).append('\n');
        return text.toString();
    }

    private static long now() {
        return System.nanoTime() / 1000000;
    }
}
