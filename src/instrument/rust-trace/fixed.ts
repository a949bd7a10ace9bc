/** Which files of Rust have to stay as they are while everything else is recorded, and why. */
import type { TraceSources } from "../tracer.ts";

/** A reason, where a file's text must not change. Tests are read once. */
export function fixedFiles(sources: TraceSources): (path: string) => Promise<string | undefined> {
  let tests: Promise<readonly Test[]> | undefined;
  return async (path) => {
    if (isCompared(sources.files, path)) return "a test compares what the compiler says of it";
    const [, root = "", own] = /^(.*?)(?<![^/])(src\/.+\.rs)$/.exec(path) ?? [];
    // The roots of a crate are named by tests that write projects of their own.
    if (own === undefined || /(?:^|\/)(?:lib|main|mod)\.rs$/.test(own)) return undefined;
    tests ??= readingTests(sources);
    const isRead = (await tests).some((test) => test.root === root && test.text.includes(`"${own}"`));
    return isRead ? "a test compares its text" : undefined;
  };
}

/** Its compiler messages are compared with a file beside it: another text has others. */
function isCompared(files: readonly string[], path: string): boolean {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return (
    /(?:^|\/)tests\/.*\//.test(path) &&
    files.some((each) => each.startsWith(folder) && each.endsWith(".stderr"))
  );
}

interface Test {
  /** The folder of its crate, "" or with a slash at its end. */
  readonly root: string;
  readonly text: string;
}

/** The test targets that read texts, such as those that look whether generated code is up to date. */
async function readingTests({ files, read }: TraceSources): Promise<readonly Test[]> {
  const found: Test[] = [];
  for (const path of files) {
    const [, root] = /^(|.*\/)tests\/[^/]+\.rs$/.exec(path) ?? [];
    if (root === undefined) continue;
    const text = (await read(path)) ?? "";
    if (/\bread_to_string\b|\binclude_str!/.test(text)) found.push({ root, text });
  }
  return found;
}
