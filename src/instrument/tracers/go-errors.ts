/** An error that Go's compiler or `go vet` printed. */
export interface GoError {
  /** The path as printed, relative to the command's working folder. */
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

const complaint = /^(?:vet: )?((?:[\w@.+~-]|\/)+\.go):(\d+):(?:\d+:)? (.+)$/;

/** Returns the compiler's errors. Read them only if a build failed: a test may print such lines too. */
export function readGoErrors({
  stdout,
  stderr,
}: {
  readonly stdout: string;
  readonly stderr: string;
}): GoError[] {
  const errors: GoError[] = [];
  for (const output of [stdout, stderr]) {
    let inPackage = false;
    for (const text of output.split("\n")) {
      const line = text.trimEnd();
      if (line.startsWith("# ")) inPackage = true;
      else {
        const [, path, number, message] = complaint.exec(line) ?? [];
        if (path !== undefined && message !== undefined && (inPackage || line.startsWith("vet: "))) {
          errors.push({ path, line: Number(number), message });
        } else if (!/^(?:\t|note: |\s*$)/.test(text)) inPackage = false;
      }
    }
  }
  return errors;
}

export function isAt(error: GoError, path: string): boolean {
  const printed = error.path.replace(/^(?:\.\.?\/)+/, "");
  return path === printed || path.endsWith(`/${printed}`) || printed.endsWith(`/${path}`);
}
