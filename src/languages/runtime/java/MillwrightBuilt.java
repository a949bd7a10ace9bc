import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The classes of the last build, kept so that a later program is compiled without the build tool: only sources that changed since
 * then. `FOLDER/files.txt` holds the files of that build, `FOLDER/machine-*` its virtual machines, `FOLDER/classes` its classes.
 * Nothing is kept of a build whose sources do not compile this way: then a compiler error could be ours.
 */
final class MillwrightBuilt {
    /** With more sources, compiling them all once costs more than the build tool's starts. */
    private static final int MOST_SOURCES = 400;
    /** With more users of a changed constant, the build tool compiles. */
    private static final int MOST_USERS = 200;
    private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");
    private static final Pattern CONSTANT = Pattern.compile("\\bstatic\\b[^;{]*\\bfinal\\b|\\bfinal\\b[^;{]*\\bstatic\\b|\\binterface\\b");

    private final File folder;
    private final File root = new File("").getAbsoluteFile();
    private final List<Properties> machines = new ArrayList<>();
    /** The folder of the build → our copy. */
    private final Map<String, File> copies = new LinkedHashMap<>();

    MillwrightBuilt(File folder) {
        this.folder = folder;
    }

    /** After a build whose tests ran. */
    static void keep(File folder, File report) throws IOException {
        delete(folder);
        MillwrightBuilt built = new MillwrightBuilt(folder);
        built.readMachines(report);
        if (built.machines.isEmpty() || !built.copyClasses()) return;
        Map<String, String> files = built.listFiles();
        List<Source> sources = built.findSources(files.keySet());
        File trial = new File(folder, "trial");
        boolean good = sources.size() <= MOST_SOURCES && built.compile(sources, trial).isEmpty();
        delete(trial);
        if (!good) {
            delete(folder);
            return;
        }
        for (File machine : machineFiles(report)) {
            Files.copy(machine.toPath(), new File(folder, machine.getName()).toPath(), StandardCopyOption.REPLACE_EXISTING);
        }
        built.writeFiles(files);
    }

    /** Compiles what changed since. False if only the build tool can; errors are in `REPORT/output.log`. */
    static boolean update(File folder, File report, Collection<String> modules) throws IOException {
        MillwrightBuilt built = new MillwrightBuilt(folder);
        built.readMachines(folder);
        for (String module : modules) if (!built.hasModule(module)) return false;
        if (!built.copyClasses()) return false;
        Map<String, String> before = readFiles(new File(folder, "files.txt"));
        Map<String, String> now = built.listFiles();
        if (!now.keySet().equals(before.keySet())) return false;
        Set<String> changed = new TreeSet<>();
        for (Map.Entry<String, String> file : now.entrySet()) {
            if (!file.getValue().equals(before.get(file.getKey()))) changed.add(file.getKey());
        }
        List<Source> sources = built.findSources(changed);
        if (sources.size() < changed.size()) return false;
        List<Source> users = built.findUsers(sources, now.keySet());
        if (users.size() > MOST_USERS) return false;
        sources.addAll(users);
        File fresh = new File(folder, "fresh");
        delete(fresh);
        List<String> errors = sources.isEmpty() ? Collections.<String>emptyList() : built.compile(sources, fresh);
        if (!errors.isEmpty()) {
            errors.add("Compilation failed");
            Files.write(new File(report, "output.log").toPath(), errors, StandardCharsets.UTF_8);
            return true;
        }
        copy(fresh.toPath(), built.changedClasses().toPath());
        built.writeFiles(now);
        built.writeMachines(report);
        return true;
    }

    private File changedClasses() {
        return new File(folder, "changed");
    }

    private static File[] machineFiles(File folder) {
        File[] found = folder.listFiles((at, name) -> name.startsWith("machine-"));
        if (found == null) return new File[0];
        Arrays.sort(found);
        return found;
    }

    private void readMachines(File from) throws IOException {
        for (File file : machineFiles(from)) {
            Properties machine = new Properties();
            try (InputStream in = new FileInputStream(file)) {
                machine.load(in);
            }
            machines.add(machine);
        }
    }

    private boolean hasModule(String module) throws IOException {
        for (Properties machine : machines) if (MillwrightBatch.moduleOf(machine).equals(module)) return true;
        return false;
    }

    /** The class path of these machines, each entry once, with the kept classes in place of the build's. */
    private String keptPath(List<Properties> asked) {
        StringBuilder path = new StringBuilder(changedClasses().getPath());
        Set<String> seen = new TreeSet<>();
        for (Properties machine : asked) {
            for (String each : machine.getProperty("path").split(File.pathSeparator)) {
                File own = copies.get(each);
                if (seen.add(each)) path.append(File.pathSeparator).append(own == null ? each : own.getPath());
            }
        }
        return path.toString();
    }

    private void writeMachines(File report) throws IOException {
        for (int at = 0; at < machines.size(); at++) {
            Properties machine = new Properties();
            machine.putAll(machines.get(at));
            machine.setProperty("path", keptPath(machines.subList(at, at + 1)));
            try (FileOutputStream out = new FileOutputStream(new File(report, "machine-" + at + ".properties"))) {
                machine.store(out, null);
            }
        }
    }

    /** Copies the folders of the class path at first. False for a folder outside the build's, whose sources we do not see. */
    private boolean copyClasses() throws IOException {
        for (Properties machine : machines) {
            for (String each : machine.getProperty("path").split(File.pathSeparator)) {
                File classes = new File(each);
                if (each.isEmpty() || each.endsWith(".jar") || classes.isFile() || copies.containsKey(each)) continue;
                File own = new File(folder, "classes/" + copies.size());
                if (!own.exists()) {
                    if (!classes.toPath().startsWith(root.toPath())) return false;
                    own.mkdirs();
                    copy(classes.toPath(), own.toPath());
                }
                copies.put(each, own);
            }
        }
        return true;
    }

    /** Path → time and size, of all files but those of builds. */
    private Map<String, String> listFiles() throws IOException {
        final Map<String, String> files = new TreeMap<>();
        final Path top = root.toPath();
        Files.walkFileTree(top, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = String.valueOf(directory.getFileName());
                boolean skipped = name.equals(".git") || name.equals("target") || name.equals("node_modules");
                return skipped && !directory.equals(top) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.put(top.relativize(file).toString(), attributes.lastModifiedTime().toMillis() + " " + attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failed) {
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    private void writeFiles(Map<String, String> files) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(new File(folder, "files.txt").toPath(), StandardCharsets.UTF_8)) {
            for (Map.Entry<String, String> file : files.entrySet()) out.write(file.getValue() + " " + file.getKey() + "\n");
        }
    }

    private static Map<String, String> readFiles(File list) throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (String line : Files.readAllLines(list.toPath(), StandardCharsets.UTF_8)) {
            int end = line.indexOf(' ', line.indexOf(' ') + 1);
            files.put(line.substring(end + 1), line.substring(0, end));
        }
        return files;
    }

    private static final class Source {
        final File file;
        final String name;
        final String text;
        /** The class file's version as Java counts it: 52 for Java 8. */
        final int version;

        Source(File file, String name, String text, int version) {
            this.file = file;
            this.name = name;
            this.text = text;
            this.version = version;
        }
    }

    /** Those whose class is in a folder of the class path. */
    private List<Source> findSources(Collection<String> paths) throws IOException {
        List<Source> sources = new ArrayList<>();
        for (String path : paths) {
            if (!path.endsWith(".java")) continue;
            File file = new File(root, path);
            byte[] bytes = Files.readAllBytes(file.toPath());
            String text = new String(bytes, StandardCharsets.UTF_8);
            String name = file.getName().substring(0, file.getName().length() - ".java".length());
            Matcher declared = PACKAGE.matcher(text);
            String inside = declared.find() ? declared.group(1).replace('.', '/') + "/" : "";
            int version = readVersion(inside + name + ".class");
            // Another encoding than UTF-8 is the build tool's affair.
            if (version > 0 && text.indexOf('\uFFFD') < 0) sources.add(new Source(file, name, text, version));
        }
        return sources;
    }

    /** 0 if there is no such class, or if it uses features that have to be asked for. */
    private int readVersion(String entry) throws IOException {
        for (File own : copies.values()) {
            File file = new File(own, entry);
            if (!file.isFile()) continue;
            try (DataInputStream in = new DataInputStream(new FileInputStream(file))) {
                in.readInt();
                return in.readUnsignedShort() == 0 ? in.readUnsignedShort() : 0;
            }
        }
        return 0;
    }

    /** A compiler writes the values of constants into the classes that use them. */
    private List<Source> findUsers(List<Source> changed, Collection<String> paths) throws IOException {
        Set<File> known = new TreeSet<>();
        StringBuilder names = new StringBuilder();
        for (Source source : changed) {
            known.add(source.file);
            if (CONSTANT.matcher(source.text).find()) names.append(names.length() == 0 ? "" : "|").append(Pattern.quote(source.name));
        }
        List<Source> users = new ArrayList<>();
        if (names.length() == 0) return users;
        Pattern use = Pattern.compile("\\b(?:" + names + ")\\b");
        for (Source source : findSources(paths)) {
            if (!known.contains(source.file) && use.matcher(source.text).find()) users.add(source);
        }
        return users;
    }

    /** The errors, as the compiler's own command prints them. */
    private List<String> compile(List<Source> sources, File target) throws IOException {
        target.mkdirs();
        String path = keptPath(machines);
        Map<Integer, List<File>> byVersion = new TreeMap<>();
        for (Source source : sources) byVersion.computeIfAbsent(source.version, any -> new ArrayList<>()).add(source.file);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> errors = new ArrayList<>();
        for (Map.Entry<Integer, List<File>> group : byVersion.entrySet()) {
            String level = String.valueOf(group.getKey() - 44);
            DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
            StandardJavaFileManager files = compiler.getStandardFileManager(found, null, StandardCharsets.UTF_8);
            List<String> options = new ArrayList<>();
            Collections.addAll(options, "-nowarn", "-g", "-Xmaxerrs", "1000", "-source", level, "-target", level);
            if (group.getKey() >= 52) options.add("-parameters");
            Collections.addAll(options, "-d", target.getPath(), "-cp", target.getPath() + File.pathSeparator + path);
            boolean good = compiler.getTask(null, files, found, options, null, files.getJavaFileObjectsFromFiles(group.getValue())).call();
            files.close();
            if (good) continue;
            for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
                if (each.getKind() != Diagnostic.Kind.ERROR) continue;
                String place = each.getSource() == null ? "" : new File(each.getSource().toUri()).getPath() + ":" + each.getLineNumber() + ": ";
                errors.add(place + "error: " + each.getMessage(null));
            }
            if (errors.isEmpty()) errors.add("error: the compiler gave no reason");
        }
        return errors;
    }

    private static void copy(final Path from, final Path to) throws IOException {
        if (!Files.exists(from)) return;
        Files.walkFileTree(from, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void delete(File folder) throws IOException {
        if (!Files.exists(folder.toPath())) return;
        Files.walkFileTree(folder.toPath(), new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failed) throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
