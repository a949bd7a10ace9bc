package millwright;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** The lines of this process, each written whole by one call of the system. */
final class Lines {
    private static final Object LOCK = new Object();
    private static final AtomicLong BYTES = new AtomicLong();
    private static final long START = System.nanoTime();
    /** No channel: an interrupt of the thread that writes would close it. */
    private static FileOutputStream file;
    private static boolean opened;

    private Lines() {
    }

    static long at() {
        return System.nanoTime() - START;
    }

    static boolean isFull(long most) {
        return BYTES.get() > most;
    }

    static void write(CharSequence line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        BYTES.addAndGet(bytes.length);
        synchronized (LOCK) {
            try {
                if (!opened) open();
                if (file != null) file.write(bytes);
            } catch (IOException full) {
                file = null;
            }
        }
    }

    private static void open() throws IOException {
        opened = true;
        int[] ids = processes();
        for (int number = 1; number < 1000; number++) {
            File each = new File(System.getenv("MILLWRIGHT_TRACE_DIR"), ids[0] + "-" + number + ".jsonl");
            if (!each.createNewFile()) continue;
            file = new FileOutputStream(each, true);
            break;
        }
        StringBuilder line = new StringBuilder("{\"k\":\"process\",\"v\":1,\"pid\":").append(ids[0]);
        line.append(",\"parent\":").append(ids[1]).append(",\"language\":\"java\",\"arguments\":[");
        String command = System.getProperty("sun.java.command", "java");
        String separator = "";
        for (String word : command.split(" ")) {
            // Surefire starts a machine by a jar that is called after the moment.
            Escapes.quote(line.append(separator), word.replaceAll("(/surefirebooter)[-_\\d]+", "$1"));
            separator = ",";
        }
        double epoch = System.currentTimeMillis() - at() / 1e6;
        line.append("],\"epoch\":").append((long) epoch).append("}\n");
        if (file != null) file.write(line.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Of this process and of the one that started it. */
    private static int[] processes() {
        try {
            byte[] stat = java.nio.file.Files.readAllBytes(new File("/proc/self/stat").toPath());
            String text = new String(stat, StandardCharsets.ISO_8859_1);
            // The second field is the program's name, in parentheses, with whatever in it.
            String[] rest = text.substring(text.lastIndexOf(')') + 2).split(" ");
            return new int[] {Integer.parseInt(text.substring(0, text.indexOf(' '))), Integer.parseInt(rest[1])};
        } catch (Exception elsewhere) {
            String name = java.lang.management.ManagementFactory.getRuntimeMXBean().getName();
            return new int[] {Integer.parseInt(name.substring(0, name.indexOf('@'))), 0};
        }
    }

    static void writeThread(int number, String name, Call spawner) {
        StringBuilder line = new StringBuilder("{\"k\":\"thread\",\"n\":").append(number).append(",\"name\":");
        Escapes.quote(line, name);
        if (spawner != null) line.append(",\"from\":").append(spawner.number);
        write(line.append('}'));
    }

    static void writeCut(int function, String why, long count) {
        write("{\"k\":\"cut\",\"f\":" + function + ",\"why\":\"" + why + "\",\"count\":" + count + "}");
    }

    static void closeAtEnd(final Plan plan) {
        Thread end = new Thread("millwright-trace-end") {
            @Override
            public void run() {
                if (!opened) return;
                for (Function function : plan.functions()) function.tellCuts();
                write("{\"k\":\"end\",\"at\":" + at() + "}");
            }
        };
        end.setContextClassLoader(null);
        Runtime.getRuntime().addShutdownHook(end);
    }
}
