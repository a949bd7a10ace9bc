package millwright;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is recorded, from plan.txt: the depth; for each function `NUMBER ASKED NAMES`, the names with commas, `-` where arguments are
 * not recorded; an empty line; the paths of the repository's Java files.
 */
final class Plan {
    private static final Function UNKNOWN = new Function(0, false, null);

    int reach;
    final int mostDepth = number("DEPTH", 200);
    final int mostValue = number("VALUE", 1000);
    final int mostRecords = number("RECORDS", 100000);
    final long mostBytes = number("BYTES", 64 << 20);
    private Function[] functions = new Function[0];
    private final Map<String, List<String>> paths = new HashMap<String, List<String>>();

    /** null without a folder for the lines. */
    static Plan read() throws IOException {
        if (System.getenv("MILLWRIGHT_TRACE_DIR") == null) return null;
        Plan plan = new Plan();
        File file = new File(System.getenv("MILLWRIGHT_TRACE_JAVA"), "plan.txt");
        List<String> lines = Files.readAllLines(file.toPath(), StandardCharsets.UTF_8);
        plan.reach = Integer.parseInt(lines.get(0));
        int at = 1;
        for (; at < lines.size() && !lines.get(at).isEmpty(); at++) plan.addFunction(lines.get(at));
        for (at++; at < lines.size(); at++) plan.addPath(lines.get(at));
        return plan;
    }

    private void addFunction(String line) {
        String[] words = line.split(" ", 3);
        int number = Integer.parseInt(words[0]);
        String names = words[2];
        String[] split = names.equals("-") ? null : names.isEmpty() ? new String[0] : names.split(",");
        int known = functions.length;
        if (number >= known) {
            functions = Arrays.copyOf(functions, Math.max(number + 1, 2 * known));
            Arrays.fill(functions, known, functions.length, UNKNOWN);
        }
        functions[number] = new Function(number, words[1].equals("1"), split);
    }

    private void addPath(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        List<String> same = paths.get(name);
        if (same == null) paths.put(name, same = new ArrayList<String>());
        same.add(path);
    }

    Function function(int number) {
        return number < functions.length ? functions[number] : UNKNOWN;
    }

    Function[] functions() {
        return functions;
    }

    /** The file in the repository in which the frame's code stands; null for other code. */
    String pathOf(StackTraceElement frame) {
        List<String> same = paths.get(frame.getFileName());
        if (same == null) return null;
        String type = frame.getClassName();
        int dot = type.lastIndexOf('.');
        String suffix = dot < 0 ? frame.getFileName() : type.substring(0, dot).replace('.', '/') + "/" + frame.getFileName();
        for (String path : same) {
            if (path.equals(suffix) || path.endsWith("/" + suffix)) return path;
        }
        return null;
    }

    private static int number(String name, int otherwise) {
        try {
            return Integer.parseInt(System.getenv("MILLWRIGHT_TRACE_" + name));
        } catch (NumberFormatException absent) {
            return otherwise;
        }
    }
}
