/** Reads Java's stack traces, as every test framework prints them. */
import type { StackFrame } from "../../domain/test-outcome.ts";

/** Finds a class's source file in the repository, by the class's package and the file name in the trace. */
export type FindSource = (packageName: string, fileName: string) => string | undefined;

const frameLine =
  /^\s*at (?:[^\s()]*\/)?((?:[\w$]+\.)*)([\w$]+)\.(<?[\w$]+>?)\(([\w$.-]+\.(?:java|kt|groovy|scala)):(\d+)\)/;

/** Indexes the source files of a repository by the end of their path: `org/example/Shelf.java`. */
export function indexSources(files: readonly string[]): FindSource {
  const byName = new Map<string, string[]>();
  for (const file of files) {
    const name = file.slice(file.lastIndexOf("/") + 1);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return (packageName, fileName) => {
    const known = byName.get(fileName) ?? [];
    const path = packageName === "" ? fileName : `${packageName.replaceAll(".", "/")}/${fileName}`;
    // A Kotlin file need not lie in its package's folder.
    return known.find((file) => file === path || file.endsWith(`/${path}`)) ?? onlyForeign(known);
  };
}

function onlyForeign(files: readonly string[]): string | undefined {
  return files.length === 1 && !files[0]?.endsWith(".java") ? files[0] : undefined;
}

/**
 * Returns the frames in the repository's own files, outermost first. In a chain of causes, takes the stack of the
 * original cause, which leads to the place of the error. Restores the frames that Java abbreviates there (`... 12
 * more`).
 */
export function readJavaStack(text: string, findSource: FindSource): StackFrame[] {
  let above: (StackFrame | undefined)[] = [];
  let frames: (StackFrame | undefined)[] = [];
  for (const line of text.split("\n")) {
    if (/^Caused by: /.test(line)) {
      above = frames;
      frames = [];
      continue;
    }
    if (/^\s+(Suppressed: |\[CIRCULAR)/.test(line)) break;
    const more = /^\s*\.\.\. (\d+) more/.exec(line);
    if (more !== null) frames.push(...above.slice(Math.max(0, above.length - Number(more[1]))));
    else if (/^\s*at \S/.test(line)) frames.push(readFrame(line, findSource));
  }
  return frames.filter((frame) => frame !== undefined).reverse();
}

function readFrame(line: string, findSource: FindSource): StackFrame | undefined {
  const match = frameLine.exec(line);
  if (match === null) return undefined;
  const [, packageName = "", className = "", method = "", fileName = "", number = ""] = match;
  const file = findSource(packageName.replace(/\.$/, ""), fileName);
  if (file === undefined || Number(number) < 1) return undefined;
  return { file, line: Number(number), function: `${className.replaceAll("$", ".")}.${method}` };
}
