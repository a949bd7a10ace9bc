/**
 * Expands names to the form that signs look for: `modules` after `from sys import modules`, `r.Caller` after `import r
 * "runtime"`, `env` after
 * `const { env } = process`, `getattr(sys, "modules")`. By line, without regard to scopes. Pure.
 */

interface Line {
  /** With the contents of strings blanked. */
  readonly code: string;
  readonly strings: readonly string[];
  readonly folded: readonly string[];
}

/** Maps an alias to what it stands for. */
type Names = Map<string, string>;

const scripts = ["javascript", "typescript", "tsx"];
/** Modules with names that signs look for; aliases of anything else do not matter. */
const watched: Readonly<Record<string, ReadonlySet<string>>> = {
  python: new Set(
    "sys os inspect time random traceback gc threading platform socket getpass datetime builtins warnings uuid tempfile locale atexit signal secrets unittest pytest resource shutil logging marshal faulthandler importlib".split(
      " ",
    ),
  ),
  javascript: new Set("process Error globalThis os performance Date Math module require vm v8".split(" ")),
};

/** The same lines, with short names replaced by whole ones. */
export function spellOut<Each extends Line>(language: string, lines: readonly Each[]): Each[] {
  const names = findNames(language, lines);
  const members = language === "python" || scripts.includes(language);
  if (names.size === 0 && !members) return [...lines];
  const pattern =
    names.size === 0
      ? undefined
      : new RegExp(`(?<![\\w$.])(?:${[...names.keys()].map(escapePattern).join("|")})(?![\\w$])`, "g");
  return lines.map((line) => {
    const whole =
      pattern === undefined || isImport.test(line.code)
        ? line.code
        : line.code.replaceAll(pattern, (name) => names.get(name) ?? name);
    const more = members ? readMembers(language, { ...line, code: whole }) : "";
    return more === "" && whole === line.code ? line : { ...line, code: whole + more };
  });
}

/** A line that defines an alias is left unchanged. */
const isImport = /^\s*(?:(?:import|from|use|pub use)\b|export\b.*\bfrom\b)|\brequire\s*\(/;

function findNames(language: string, lines: readonly Line[]): Names {
  if (language === "python") return namesOfPython(lines);
  if (scripts.includes(language)) return namesOfScript(lines);
  if (language === "go") return namesOfGo(lines);
  if (language === "rust") return namesOfRust(lines);
  return language === "java" ? namesOfJava(lines) : new Map();
}

function namesOfPython(lines: readonly Line[]): Names {
  const names: Names = new Map();
  const isWatched = (name: string): boolean => watched["python"]?.has(name.split(".")[0] ?? "") === true;
  for (const { code } of lines) {
    const [, from = "", list = ""] = /^\s*from\s+([\w.]+)\s+import\s+\(?([^)]*)/.exec(code) ?? [];
    for (const [name, as] of pairs(list, /\s+as\s+/)) if (isWatched(from)) names.set(as, `${from}.${name}`);
    const [, modules = ""] = /^\s*import\s+(.*)/.exec(code) ?? [];
    for (const [name, as] of pairs(modules, /\s+as\s+/))
      if (as !== name && isWatched(name)) names.set(as, name);
    const [, as = "", of = ""] = /^\s*(\w+)\s*=\s*([\w.]+)\s*$/.exec(code) ?? [];
    if (as !== "" && as !== of && isWatched(of)) names.set(as, names.get(of) ?? of);
  }
  return names;
}

function namesOfScript(lines: readonly Line[]): Names {
  const names: Names = new Map();
  const own = watched["javascript"] ?? new Set();
  for (const { code, strings } of lines) {
    const module = strings[0]?.replace(/^node:/, "") ?? "";
    const isOf = /\bfrom\b|\brequire\s*\(/.test(code) && own.has(module);
    const [, list = "", object = ""] =
      /\{([^}]*)\}\s*=\s*(?:globalThis\s*\.\s*)?(\w+)\s*;?\s*$/.exec(code) ?? [];
    if (own.has(object)) for (const [name, as] of pairs(list, /\s*:\s*/)) names.set(as, `${object}.${name}`);
    const [, as = "", of = ""] =
      /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:globalThis\s*\.\s*)?(\w+(?:\s*\.\s*\w+)?)\s*;?\s*$/.exec(code) ??
      [];
    if (as !== of && own.has(of.split(".")[0]?.trim() ?? "")) names.set(as, of);
    if (!isOf) continue;
    const [, inner = ""] = /\{([^}]*)\}/.exec(code) ?? [];
    for (const [name, short] of pairs(inner, /\s+as\s+|\s*:\s*/)) names.set(short, `${module}.${name}`);
    const [, whole = ""] =
      /\bimport\s+(?:\*\s*as\s+)?(\w+)/.exec(code) ?? /\b(?:const|let|var)\s+(\w+)\s*=/.exec(code) ?? [];
    if (whole !== "" && whole !== module) names.set(whole, module);
  }
  return names;
}

function namesOfGo(lines: readonly Line[]): Names {
  const names: Names = new Map();
  for (const { code, strings } of lines) {
    const [, as = ""] = /^\s*(?:import\s+)?([A-Za-z]\w*)\s*$/.exec(code) ?? [];
    const [path] = strings;
    const name = path?.split("/").at(-1) ?? "";
    if (as !== "" && as !== "import" && as !== name && /^[\w/]+$/.test(path ?? "")) names.set(as, name);
  }
  return names;
}

function namesOfRust(lines: readonly Line[]): Names {
  const names: Names = new Map();
  for (const { code } of lines)
    for (const [, name = "", as = ""] of code.matchAll(/([\w:]+)\s+as\s+(\w+)\s*[,;}]/g))
      if (/^\s*(?:pub\s+)?use\b/.test(code) && as !== "_") names.set(as, wholeOf(code, name));
  return names;
}

/** `current` in `use std::thread::{current as me}` is `thread::current`. */
function wholeOf(code: string, name: string): string {
  if (name.includes("::")) return name;
  const [, before = ""] = /\buse\s+([\w:]+)::\{/.exec(code) ?? [];
  return before === "" ? name : `${before}::${name}`;
}

function namesOfJava(lines: readonly Line[]): Names {
  const names: Names = new Map();
  for (const { code } of lines) {
    const [, type = "", name = ""] =
      /^\s*import\s+static\s+java\.[\w.]*?\b([A-Z]\w*)\.(\w+)\s*;/.exec(code) ?? [];
    if (name !== "") names.set(name, `${type}.${name}`);
  }
  return names;
}

/** `a, b as c`: each with its local name. */
function pairs(list: string, separator: RegExp): [name: string, as: string][] {
  return list.split(",").flatMap((each): [string, string][] => {
    const [name = "", as = name] = each.trim().split(separator);
    return /^[\w.]+$/.test(name) && /^\w+$/.test(as) ? [[name, as]] : [];
  });
}

/** Members accessed by a string: `getattr(sys, "modules")`, `vars(sys)["argv"]`, `process["env"]`. */
function readMembers(language: string, { code, strings, folded }: Line): string {
  const own = [...(watched[language === "python" ? "python" : "javascript"] ?? [])].join("|");
  const asked =
    language === "python"
      ? new RegExp(`\\bgetattr\\(\\s*(${own})\\s*,|\\bvars\\(\\s*(${own})\\s*\\)|\\b(${own})\\.__dict__\\b`)
      : new RegExp(
          `\\b(${own})\\s*(?:\\?\\.)?\\[|\\bReflect\\s*\\.\\s*(?:get|has)\\(\\s*(${own})\\b|\\bin\\s+(globalThis)\\b`,
        );
  const object = asked
    .exec(code)
    ?.slice(1)
    .find((each) => each !== undefined);
  if (object === undefined) return "";
  const members = [...strings, ...folded].filter((each) => /^[A-Za-z_]\w*$/.test(each));
  return members.map((member) => ` ;${object}.${member}`).join("");
}

function escapePattern(text: string): string {
  return text.replaceAll("$", "\\$");
}
