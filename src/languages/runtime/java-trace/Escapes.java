package millwright;

/** Texts as JSON has them. */
final class Escapes {
    private Escapes() {
    }

    static StringBuilder quote(StringBuilder line, CharSequence text) {
        line.append('"');
        for (int at = 0; at < text.length(); at++) {
            char each = text.charAt(at);
            if (each == '"' || each == '\\') line.append('\\').append(each);
            else if (each == '\n') line.append("\\n");
            else if (each == '\t') line.append("\\t");
            else if (each < ' ' || each == 127) line.append(String.format("\\u%04x", (int) each));
            else if (!Character.isSurrogate(each)) line.append(each);
            else if (isPair(text, at)) line.append(each).append(text.charAt(++at));
            else line.append('\uFFFD');
        }
        return line.append('"');
    }

    private static boolean isPair(CharSequence text, int at) {
        return Character.isHighSurrogate(text.charAt(at)) && at + 1 < text.length()
            && Character.isLowSurrogate(text.charAt(at + 1));
    }

    /** At most so many, never half a character. */
    static String head(String text, int most) {
        if (text.length() <= most) return text;
        int end = most > 0 && Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end);
    }
}
