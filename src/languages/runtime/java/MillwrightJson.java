/** The little of JSON that our runtime writes. */
final class MillwrightJson {
    /** Characters of one text; what is behind is left out. */
    private static final int LONGEST = 4000;

    private MillwrightJson() {
    }

    static String quote(String text) {
        String shown = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        StringBuilder quoted = new StringBuilder("\"");
        for (int at = 0; at < shown.length(); at++) {
            char each = shown.charAt(at);
            if (each == '"' || each == '\\') quoted.append('\\').append(each);
            else if (each < 32 || each > 126) quoted.append(String.format("\\u%04x", (int) each));
            else quoted.append(each);
        }
        return quoted.append('"').toString();
    }
}
