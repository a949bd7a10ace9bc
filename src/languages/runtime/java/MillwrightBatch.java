import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts the machines that test candidates: for each module with tests as many as may run side by side, each again after it died,
 * from the candidate behind the one it died in. Arguments: REPORT, the folder of our sources, the folder of our classes, the folder
 * for classes that are kept, and `direct` to compile without the build tool: exit code 3 if only the build tool can.
 */
public final class MillwrightBatch {
    private final File report;
    private final File sources;
    private final File classes;
    private final File kept;
    private final Map<String, List<String>> tests = new LinkedHashMap<>();
    private final List<String> candidates = new ArrayList<>();
    private String timeout = "5000";
    private String stop = "false";
    private int parallel = 1;
    private final boolean coverage = System.getenv("MILLWRIGHT_COVERAGE") != null;

    private MillwrightBatch(String[] arguments) {
        report = new File(arguments[0]);
        sources = new File(arguments[1]);
        classes = new File(arguments[2]);
        kept = new File(arguments[3]);
    }

    public static void main(String[] arguments) throws Exception {
        MillwrightBatch batch = new MillwrightBatch(arguments);
        if (System.getenv("MILLWRIGHT_COVERAGE") == null) batch.readRequest();
        else batch.readResults();
        if (arguments.length > 4) {
            if (!MillwrightBuilt.update(batch.kept, batch.report, batch.tests.keySet())) System.exit(3);
        } else keepClasses(batch.kept, batch.report);
        for (File file : batch.report.listFiles()) {
            if (!file.getName().startsWith("machine-")) continue;
            Properties machine = new Properties();
            try (InputStream in = new FileInputStream(file)) {
                machine.load(in);
            }
            List<String> own = batch.tests.remove(moduleOf(machine));
            if (own != null) batch.runModule(machine, own);
        }
    }

    /** Without them, each program is built by the build tool. */
    private static void keepClasses(File kept, File report) {
        try {
            MillwrightBuilt.keep(kept, report);
        } catch (IOException | RuntimeException failed) {
            new File(kept, "files.txt").delete();
        }
    }

    /** Lines of the variable MILLWRIGHT_BATCH: `timeout N`, `stop true`, `parallel N`, `candidate N`, `test FOLDER TAB CLASS TAB NAME`. */
    private void readRequest() throws IOException {
        String text = new String(Base64.getDecoder().decode(System.getenv("MILLWRIGHT_BATCH")), StandardCharsets.UTF_8);
        for (String line : text.split("\n")) {
            int space = line.indexOf(' ');
            String value = line.substring(space + 1);
            switch (line.substring(0, space)) {
                case "timeout": timeout = value; break;
                case "stop": stop = value; break;
                case "parallel": parallel = Integer.parseInt(value); break;
                case "candidate": candidates.add(value); break;
                default:
                    String folder = new File(value.substring(0, value.indexOf('\t'))).getCanonicalPath();
                    if (!tests.containsKey(folder)) tests.put(folder, new ArrayList<String>());
                    tests.get(folder).add(value);
            }
        }
    }

    /** For coverage: every test that the build tool has reported, by the module whose folder holds the report. */
    private void readResults() throws IOException {
        timeout = System.getenv("MILLWRIGHT_TEST_TIMEOUT");
        candidates.add("0");
        String where = new String(Files.readAllBytes(new File(report, "where.txt").toPath()), StandardCharsets.UTF_8).trim();
        String text = new String(Files.readAllBytes(new File(report, "results.txt").toPath()), StandardCharsets.UTF_8);
        for (String part : text.split("(?m)^@@report ")) {
            int end = part.indexOf("/target/");
            if (end < 0 || end > part.indexOf('\n')) continue;
            String folder = new File(where, part.substring(0, end)).getCanonicalPath();
            Matcher test = TEST.matcher(part);
            while (test.find()) {
                String name = attribute(test.group(), "name");
                if (!tests.containsKey(folder)) tests.put(folder, new ArrayList<String>());
                tests.get(folder).add(folder + "\t" + attribute(test.group(), "classname") + "\t" + name);
            }
        }
    }

    private static final Pattern TEST = Pattern.compile("<testcase\\s[^>]*>");

    private static String attribute(String element, String name) {
        Matcher found = Pattern.compile("\\s" + name + "=\"([^\"]*)\"").matcher(element);
        if (!found.find()) return "";
        return found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'")
            .replace("&#10;", " ").replace("\t", " ").replace("&amp;", "&");
    }

    private static String folderOf(Properties machine) {
        return machine.getProperty("property.basedir", machine.getProperty("property.user.dir"));
    }

    static String moduleOf(Properties machine) throws IOException {
        return new File(folderOf(machine)).getCanonicalPath();
    }

    private void runModule(Properties machine, List<String> own) throws Exception {
        File adapters = compileAdapters(machine.getProperty("path"));
        List<Thread> threads = new ArrayList<>();
        for (int share = 0; share < parallel; share++) {
            List<String> lines = new ArrayList<>(own);
            for (int at = share; at < candidates.size(); at += parallel) lines.add(candidates.get(at));
            if (lines.size() == own.size()) continue;
            // The program as it was comes first, to see that its tests say what the build tool's did.
            if (share == 0 && !coverage) lines.add(own.size(), "0");
            Thread thread = new Thread(() -> keepRunning(machine, adapters, lines, own.size()));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) thread.join();
    }

    private static synchronized int nextNumber() {
        return number++;
    }

    private static int number = 0;

    private void keepRunning(Properties machine, File adapters, List<String> lines, int tests) {
        try {
            int id = nextNumber();
            File plan = new File(report, "plan-" + id + ".txt");
            File done = new File(report, (coverage ? "lines-" : "candidates-") + id + ".txt");
            File progress = new File(report, "progress-" + id + ".txt");
            Files.write(plan.toPath(), lines, StandardCharsets.UTF_8);
            Files.write(progress.toPath(), String.valueOf(tests).getBytes(StandardCharsets.UTF_8));
            for (int starts = 0; starts <= lines.size(); starts++) {
                int before = readNumber(progress);
                Process worker = startWorker(machine, adapters, plan, done, progress, tests);
                worker.waitFor();
                int after = readNumber(progress);
                if (after >= lines.size()) return;
                // It ended in the middle of a candidate, which is passed over.
                if (after == before) Files.write(progress.toPath(), String.valueOf(after + 1).getBytes(StandardCharsets.UTF_8));
            }
        } catch (Exception failed) {
            failed.printStackTrace();
        }
    }

    private static int readNumber(File file) throws IOException {
        return Integer.parseInt(new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8).trim());
    }

    private Process startWorker(Properties machine, File adapters, File plan, File done, File progress, int tests)
        throws IOException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        Map<Integer, String> arguments = new TreeMap<>();
        for (String name : machine.stringPropertyNames()) {
            if (name.startsWith("argument.")) arguments.put(Integer.parseInt(name.substring(9)), machine.getProperty(name));
        }
        command.addAll(arguments.values());
        Collections.addAll(command, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-cp", classes.getPath(),
            "MillwrightWorker", plan.getPath(), done.getPath(), progress.getPath(), String.valueOf(tests), timeout, stop,
            findMachine(machine), adapters.getPath());
        if (coverage) command.add("coverage");
        ProcessBuilder builder = new ProcessBuilder(command).directory(new File(machine.getProperty("property.user.dir")));
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(new File(report, "workers.log")));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return builder.start();
    }

    private String findMachine(Properties machine) throws IOException {
        File file = new File(report, "used-" + Math.abs(folderOf(machine).hashCode()) + ".properties");
        try (java.io.FileOutputStream out = new java.io.FileOutputStream(file)) {
            machine.store(out, null);
        }
        return file.getPath();
    }

    /**
     * Compiles the adapters to JUnit against the project's own JUnit, once per checkout. Leaves out an adapter whose library the project lacks.
     */
    private File compileAdapters(String path) throws Exception {
        StringBuilder jars = new StringBuilder();
        for (String each : path.split(File.pathSeparator)) if (each.endsWith(".jar")) jars.append(each).append(File.pathSeparator);
        String folder = "adapters-" + Integer.toHexString(jars.toString().hashCode());
        File known = new File(kept.getPath() + "-" + folder);
        if (known.exists()) return known;
        File target = new File(report, folder);
        target.mkdirs();
        for (String name : new String[] {"MillwrightPlatform", "MillwrightJUnit4"}) {
            String probe = name.equals("MillwrightPlatform") ? "org/junit/platform/launcher/Launcher.class" : "org/junit/runner/notification/RunListener.class";
            if (!contains(path, probe)) continue;
            javax.tools.JavaCompiler compiler = javax.tools.ToolProvider.getSystemJavaCompiler();
            compiler.run(null, null, null, "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d", target.getPath(), "-cp",
                path + File.pathSeparator + classes.getPath(), new File(sources, name + ".java").getPath());
        }
        return target.renameTo(known) ? known : target;
    }

    private static boolean contains(String path, String entry) {
        for (String each : path.split(File.pathSeparator)) {
            if (!each.endsWith(".jar")) continue;
            try (java.util.zip.ZipFile zip = new java.util.zip.ZipFile(each)) {
                if (zip.getEntry(entry) != null) return true;
            } catch (IOException gone) {
                // Not on the class path in truth.
            }
        }
        return false;
    }
}
