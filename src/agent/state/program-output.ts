/** Reads the output of a standalone program. The code under test decides its length, so each step is linear. */

/** Characters kept from the end of a program's output. */
export const longestOutput = 20_000;
const longestException = 300;

/** A line that reports an error of a language's runtime. Each quantifier has a bound. */
const raised = [
  /^(?:Uncaught )?[\w$.:]{0,200}(?:Error|Exception|Failure)(?: \[\w{1,60}\])?(?::|$)/,
  /^(?:panic: |fatal error: |Exception in thread |thread '.{0,80}' panicked at |terminate called )/,
  /^.{0,200}: Assertion .{0,200} failed/,
  /^.{1,200}:\d{1,7}:in .{1,300} \([A-Z][\w:]{0,60}\)$/,
];
const traceback = /^(?:Traceback \(most recent call last\):|Exception Group Traceback )/;

/** Returns the last exception in a text; "" without one. In Python, any name counts at the end of a traceback. */
export function lastException(text: string): string {
  const lines = text.slice(-longestOutput).split("\n");
  let last = "";
  let isTrace = false;
  for (const [at, line] of lines.entries()) {
    if (traceback.test(line)) isTrace = true;
    else if (isTrace && /^\S/.test(line)) {
      last = line;
      isTrace = false;
    } else if (raised.some((pattern) => pattern.test(line)))
      // Rust prints the message on the next line.
      last = / panicked at /.test(line) ? `${line} ${lines[at + 1] ?? ""}` : line;
  }
  const short = last.trim();
  return short.length > longestException ? `${short.slice(0, longestException)}…` : short;
}

/** Joins both streams, and keeps the end. */
export function joinOutput(stdout: string, stderr: string): string {
  return [stdout.trimEnd(), stderr.trimEnd()]
    .filter((text) => text !== "")
    .join("\n")
    .slice(-longestOutput);
}
