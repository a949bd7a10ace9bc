/** Finds the function that a statement is about, for a task without a target. */
import { isSourceFile } from "../../languages/source-files.ts";
import { findTarget, type ReadText, type Target } from "./target.ts";

/** For a long statement, the number of paths and names to try. */
const most = { paths: 6, names: 24 };

/**
 * Returns the first function for which the statement names both the file and the function; undefined if there is none.
 */
export async function namedTarget(statement: string, read: ReadText): Promise<Target | undefined> {
  for (const [, file, symbol] of statement.matchAll(/(?<![\w./-])([\w./-]+\.\w+)::?([A-Za-z_][\w.:#]*\w)/g)) {
    const found = await findTarget(`${file}:${symbol}`, read);
    if (found.ok) return found.value;
  }
  const paths = unique(statement.match(/(?<![\w./-])[\w./-]+\.[A-Za-z]\w*/g) ?? [])
    .map((path) => path.replace(/^(?:\.\/)+/, ""))
    .filter(isSourceFile);
  const names = listNames(statement);
  for (const path of paths.slice(0, most.paths)) {
    if ((await read(path)) === undefined) continue;
    for (const name of names.slice(0, most.names)) {
      const found = await findTarget(`${path}:${name}`, read);
      if (found.ok) return found.value;
    }
  }
  return undefined;
}

/**
 * Lists the statement's names: first names marked as code, then called names, then names after a word such as
 * "function".
 */
function listNames(statement: string): string[] {
  const name = "[A-Za-z_$][\\w$]*(?:(?:\\.|::|#)[A-Za-z_$][\\w$]*)*";
  const marked = statement.matchAll(new RegExp(`\`(${name})(?:\\([^\`]*)?\``, "g"));
  // Whole names first: a search for the bracket would begin again at each letter.
  const called = [...statement.matchAll(new RegExp(`(${name})(\\(?)`, "g"))].filter(
    ([, , call]) => call === "(",
  );
  const told = statement.matchAll(new RegExp(`\\b(?:function|method|routine|fn|def)\\s+(${name})`, "gi"));
  return unique([...marked, ...called, ...told].flatMap(([, found]) => found ?? []));
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
