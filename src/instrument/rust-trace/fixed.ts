/** Finds the Rust files that must stay unchanged during recording, and the reasons. */
import type { TraceSources } from "../tracer.ts";

/**
 * Returns a function that gives the reason why a Rust file must stay unchanged; undefined if the file may change. The
 * function reads the project's tests only once.
 */
export function fixedFiles(sources: TraceSources): (path: string) => Promise<string | undefined> {
  let tests: Promise<readonly Test[]> | undefined;
  return async (path) => {
    if (isCompared(sources.files, path)) return "a test compares compiler messages about its file";
    const [, root = "", own] = /^(.*?)(?<![^/])(src\/.+\.rs)$/.exec(path) ?? [];
    // Tests that write separate projects also name the roots of crates.
    if (own === undefined || /(?:^|\/)(?:lib|main|mod)\.rs$/.test(own)) return undefined;
    tests ??= readingTests(sources);
    const isRead = (await tests).some((test) => test.root === root && test.text.includes(`"${own}"`));
    return isRead ? "a test reads the text of its file" : undefined;
  };
}

/**
 * True if tests compare the file's compiler messages with a file next to it. Inserted text would change these messages.
 */
function isCompared(files: readonly string[], path: string): boolean {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return (
    /(?:^|\/)tests\/.*\//.test(path) &&
    files.some((each) => each.startsWith(folder) && each.endsWith(".stderr"))
  );
}

interface Test {
  /** The folder of the test's crate, "" or with a trailing slash. */
  readonly root: string;
  readonly text: string;
}

/** Test targets that read source texts, such as checks whether generated code is current. */
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
