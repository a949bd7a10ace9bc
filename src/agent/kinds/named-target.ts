/** The function that a statement speaks of, where nobody named a target. */
import { isSourceFile } from "../../languages/source-files.ts";
import { findTarget, type ReadText, type Target } from "./target.ts";

/** Of a long statement, the paths and names that are tried. */
const most = { paths: 6, names: 24 };

/** The first function of a file that the statement names both; undefined where there is none. */
export async function namedTarget(statement: string, read: ReadText): Promise<Target | undefined> {
  for (const [, file, symbol] of statement.matchAll(/([\w./-]+\.\w+)::?([A-Za-z_][\w.:#]*\w)/g)) {
    const found = await findTarget(`${file}:${symbol}`, read);
    if (found.ok) return found.value;
  }
  const paths = unique(statement.match(/[\w./-]+\.[A-Za-z]\w*/g) ?? [])
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

/** What is marked as code first, then what is called, then what follows a word such as "function". */
function listNames(statement: string): string[] {
  const name = "[A-Za-z_$][\\w$]*(?:(?:\\.|::|#)[A-Za-z_$][\\w$]*)*";
  const marked = statement.matchAll(new RegExp(`\`(${name})(?:\\([^\`]*)?\``, "g"));
  const called = statement.matchAll(new RegExp(`(${name})\\(`, "g"));
  const told = statement.matchAll(new RegExp(`\\b(?:function|method|routine|fn|def)\\s+(${name})`, "gi"));
  return unique([...marked, ...called, ...told].flatMap(([, found]) => found ?? []));
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
