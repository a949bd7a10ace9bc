/** Reads single entries of TOML files, in the forms in which tools keep commands. */
import { escapePattern } from "../javascript/javascript-arguments.ts";

/** The text between a table's header and the next one, without comments on lines of their own. */
function tableText(text: string, table: string): string {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() === `[${table}]`);
  if (start === -1) return "";
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^\[/.test(line));
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .filter((line) => !/^\s*#/.test(line))
    .join("\n");
}

/** Lists the names of the tables that begin with `beginning`. */
export function listTomlTables(text: string, beginning: string): string[] {
  return [...text.matchAll(/^\[([^[\]]+)\]\s*$/gm)]
    .map(([, name = ""]) => name.trim())
    .filter((name) => name.startsWith(beginning));
}

/**
 * Reads a text value of a table: `"…"`, `'…'`, or a text over several lines. Undefined if the table has no such text.
 */
export function readTomlText(text: string, table: string, key: string): string | undefined {
  const inside = tableText(text, table);
  const long = new RegExp(
    `^${escapePattern(key)}\\s*=\\s*(?:"""|''')\\r?\\n?([\\s\\S]*?)(?:"""|''')`,
    "m",
  ).exec(inside);
  if (long) return long[1];
  // A text over several lines may hold lines that look like tables.
  const whole = new RegExp(
    `^\\[${escapePattern(table)}\\][\\s\\S]*?^${escapePattern(key)}\\s*=\\s*(?:"""|''')\\r?\\n?([\\s\\S]*?)(?:"""|''')`,
    "m",
  ).exec(text);
  return whole?.[1] ?? readTomlPairs(text, table).get(key);
}

/**
 * Reads a table's texts by key: `test = "pytest"`, `test = ["a", "b"]` (as lines), `test = { cmd = "pytest", … }`. Also
 * reads separate tables, such as `[TABLE.test]` with `cmd = "pytest"`.
 */
export function readTomlPairs(text: string, table: string): Map<string, string> {
  const pairs = new Map<string, string>();
  const entry =
    /^[ \t]*["']?([\w.:-]+)["']?[ \t]*=[ \t]*(\[[\s\S]*?\]\s*$|\{.*\}\s*$|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|"""[\s\S]*?""")/gm;
  for (const [, key = "", value = ""] of tableText(text, table).matchAll(entry)) {
    const called =
      /\b(?:cmd|shell|composite|chain|command|script)\s*=\s*(\[[^\]]*\]|"(?:[^"\\]|\\.)*"|'[^']*')/.exec(
        value,
      );
    const texts = textsIn(value.startsWith("{") ? (called?.[1] ?? "") : value);
    if (texts.length > 0) pairs.set(key, texts.join("\n"));
  }
  for (const name of listTomlTables(text, `${table}.`)) {
    const inner = readTomlPairs(text, name);
    const called = ["cmd", "shell", "command", "script", "composite"].flatMap(
      (key) => inner.get(key) ?? [],
    )[0];
    if (called !== undefined) pairs.set(name.slice(table.length + 1), called);
  }
  return pairs;
}

/** Reads lists of lists of texts under a key, from each table: tox's `commands = [["pytest", "tests"]]`. */
export function readTomlLists(
  text: string,
  key: string,
): { readonly table: string; readonly lists: readonly string[][] }[] {
  return ["", ...listTomlTables(text, "")].flatMap((table) => {
    const whole = table === "" ? (text.split(/^\[/m)[0] ?? "") : tableText(text, table);
    const inside = whole.replaceAll(/\{[^{}]*\}/g, '""'); // of `{ replace = "posargs", default = [] }` nothing is kept
    const found = new RegExp(`^${key}\\s*=\\s*(\\[[\\s\\S]*?\\](?:\\s*,)?\\s*\\])`, "m").exec(inside)?.[1];
    if (found === undefined) return [];
    const lists = [...found.slice(1).matchAll(/\[((?:[^[\]"']|"(?:[^"\\]|\\.)*"|'[^']*')*)\]/g)].map(
      ([, one = ""]) => textsIn(one),
    );
    return lists.length === 0 ? [] : [{ table, lists }];
  });
}

function textsIn(value: string): string[] {
  return [...value.matchAll(/"""([\s\S]*?)"""|"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(
    ([, long, double, single]) => long ?? double?.replace(/\\(["\\])/g, "$1") ?? single ?? "",
  );
}
