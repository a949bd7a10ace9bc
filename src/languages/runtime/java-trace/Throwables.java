package millwright;

/** What is told of an exception. */
final class Throwables {
    private Throwables() {
    }

    /** `NumberFormatException: For input string: "x"`. */
    static String describe(Throwable thrown, int most) {
        String message = messageOf(thrown);
        String name = Shape.nameOf(thrown.getClass());
        String text = message == null ? name : name + ": " + message;
        return text.length() <= most ? text : Escapes.head(text, most) + "…";
    }

    /** The one thing that the program's own code is asked for: the message is what a failure is about. */
    static String messageOf(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable broken) {
            return "its message cannot be had";
        }
    }

    /** The innermost place in the project, `path:line`; null where there is none. */
    static String place(Throwable thrown, Plan plan) {
        try {
            for (StackTraceElement frame : thrown.getStackTrace()) {
                String path = frame.getLineNumber() > 0 ? plan.pathOf(frame) : null;
                if (path != null) return path + ":" + frame.getLineNumber();
            }
        } catch (Throwable broken) {
            return null;
        }
        return null;
    }
}
