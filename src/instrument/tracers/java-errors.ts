/** A compiler error of a Java build. */
export interface JavaError {
  /** The path as printed: absolute, or relative to the compiler's working folder. */
  readonly path: string;
  readonly line: number;
  /** The message with its following lines. */
  readonly message: string;
}

/**
 * `[ERROR] /path/Shelf.java:[12,8] cannot find symbol` (Maven), `path/Shelf.java:12: error: …` (javac, Gradle, Ant).
 */
const complaint =
  /^(?:\[(?:ERROR|WARNING)\]|\[javac\])?\s*((?:[\w@.+~$-]|\/)+\.java):\[?(\d+)(?:,\d+\])?:?\s+(error:|warning:)?\s*(.+)$/;
const addition = /^(?:\[ERROR\]|\[javac\])?\s+(symbol|location|required|found|reason)\s*:\s+(.*)$/;
const failed = /COMPILATION ERROR|^[ \t]*(?:\[javac\][ \t]*)?\d+ errors?$|error: warnings found and -Werror/m;

/**
 * Returns the compiler's errors. Read them only if a build failed: a test may print such lines too. Includes warnings
 * if the build treats warnings as errors.
 */
export function readJavaErrors({
  stdout,
  stderr,
}: {
  readonly stdout: string;
  readonly stderr: string;
}): JavaError[] {
  const output = `${stdout}\n${stderr}`;
  if (!failed.test(output)) return [];
  const areErrors = /warnings found and -Werror/.test(output);
  const found = new Map<string, JavaError>();
  let last: string | undefined;
  for (const line of output.split("\n")) {
    const [, path, number, kind, text] = complaint.exec(line.trimEnd()) ?? [];
    if (path !== undefined && text !== undefined) {
      const isWarning = kind === "warning:" || line.startsWith("[WARNING]");
      last = isWarning && !areErrors ? undefined : `${path}:${number}:${text}`;
      if (last !== undefined && !found.has(last))
        found.set(last, { path, line: Number(number), message: text });
      continue;
    }
    const [, name, more] = addition.exec(line) ?? [];
    const known = last === undefined ? undefined : found.get(last);
    if (last !== undefined && known !== undefined && name !== undefined && more !== undefined)
      found.set(last, { ...known, message: addOnce(known.message, `${name}: ${more.trim()}`) });
  }
  return [...found.values()];
}

function addOnce(message: string, more: string): string {
  return message.includes(more) ? message : `${message}; ${more}`;
}

export function isAt(error: JavaError, path: string): boolean {
  const printed = error.path.replace(/^(?:\.\.?\/)+/, "");
  return path === printed || path.endsWith(`/${printed}`) || printed.endsWith(`/${path}`);
}
