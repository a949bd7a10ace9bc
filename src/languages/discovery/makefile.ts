/** Reads the part of make's language that is common in targets that run tests. */
import { posix } from "node:path";
import type { ProjectView } from "../contract.ts";

export interface Makefile {
  readonly file: string;
  /** Folder of the file, relative to the root. */
  readonly directory: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly targets: ReadonlyMap<string, MakeTarget>;
}

interface MakeTarget {
  readonly needs: string[];
  readonly recipe: string[];
  readonly variables: Map<string, string>;
}

const names = ["GNUmakefile", "makefile", "Makefile"];
const mostIncluded = 20;
const deepest = 12;

/** Reads the Makefiles of the root and of its direct subfolders, the root's first. Reads at most six folders. */
export function listMakefiles(project: ProjectView): Makefile[] {
  const folders = project.files
    .filter((file) => names.includes(posix.basename(file)) && file.split("/").length <= 2)
    .map((file) => (posix.dirname(file) === "." ? "" : posix.dirname(file)))
    .sort((a, b) => a.length - b.length);
  return [...new Set(folders)].slice(0, 6).flatMap((folder) => readMakefile(project, folder) ?? []);
}

export function readMakefile(project: ProjectView, directory: string): Makefile | undefined {
  const file = names
    .map((name) => posix.join(directory, name))
    .find((path) => project.read(path) !== undefined);
  if (file === undefined) return undefined;
  const reading: Reading = { project, directory, variables: new Map(), targets: new Map(), included: 0 };
  readLines(reading, project.read(file) ?? "");
  return { file, directory, variables: reading.variables, targets: reading.targets };
}

interface Reading {
  readonly project: ProjectView;
  readonly directory: string;
  readonly variables: Map<string, string>;
  readonly targets: Map<string, MakeTarget>;
  included: number;
}

const assignment = /^(?:export\s+|override\s+)*([\w.-]+)\s*(:{0,3}=|\?=|\+=|!=)\s*(.*)$/;
const rule = /^([^\s:#=][^:#=]*?)\s*::?(?!=)\s*(.*)$/;

function readLines(reading: Reading, text: string): void {
  let current: readonly MakeTarget[] = [];
  let skipping = 0; // the branches after the first of a condition
  let depth = 0;
  for (const line of joinLines(text)) {
    if (line.startsWith("\t")) {
      if (skipping === 0) for (const target of current) target.recipe.push(line.slice(1));
      continue;
    }
    const plain = line.replace(/(^|\s)#.*$/, "").trimEnd();
    const trimmed = plain.trim();
    if (/^(?:ifeq|ifneq|ifdef|ifndef)\b/.test(trimmed)) depth += 1;
    else if (/^else\b/.test(trimmed)) skipping = skipping === 0 ? depth : skipping;
    else if (/^endif\b/.test(trimmed)) {
      if (skipping === depth) skipping = 0;
      depth = Math.max(0, depth - 1);
    } else if (skipping === 0 && trimmed !== "") current = readStatement(reading, trimmed) ?? current;
  }
}

/** Joins lines with their continuations. A recipe's lines keep the leading tab. */
function joinLines(text: string): string[] {
  return text.replaceAll(/\\\r?\n[ \t]*/g, " ").split(/\r?\n/);
}

function readStatement(reading: Reading, line: string): readonly MakeTarget[] | undefined {
  const included = /^[-s]?include\s+(.*)$/.exec(line);
  if (included) {
    for (const name of expand(included[1] ?? "", reading.variables).split(/\s+/)) include(reading, name);
    return [];
  }
  const assigned = assignment.exec(line);
  if (assigned) {
    assign(reading.variables, assigned);
    return [];
  }
  const ruled = rule.exec(line);
  if (ruled === null) return undefined;
  const [, left = "", right = ""] = ruled;
  const [needs = "", inline] = right.split(/;(.*)/s);
  const own = assignment.exec(right.trim());
  return expand(left, reading.variables)
    .split(/\s+/)
    .filter((name) => name !== "")
    .map((name) => {
      const target: MakeTarget = reading.targets.get(name) ?? { needs: [], recipe: [], variables: new Map() };
      reading.targets.set(name, target);
      if (own) assign(target.variables, own, reading.variables);
      else
        target.needs.push(
          ...expand(needs, reading.variables)
            .split(/\s+/)
            .filter((need) => need !== "" && need !== "|"),
        );
      if (inline !== undefined && own === null) target.recipe.push(inline.trim());
      return target;
    });
}

function include(reading: Reading, name: string): void {
  const text = reading.project.read(posix.join(reading.directory, name));
  if (text === undefined || reading.included >= mostIncluded) return;
  reading.included += 1;
  readLines(reading, text);
}

function assign(
  variables: Map<string, string>,
  [, name = "", operator, value = ""]: readonly string[],
  outer: ReadonlyMap<string, string> = variables,
): void {
  const before = variables.get(name) ?? outer.get(name);
  if (operator === "!=" || (operator === "?=" && before !== undefined)) return;
  variables.set(name, operator === "+=" && before !== undefined ? `${before} ${value}` : value);
}

/**
 * Returns the shell lines that make runs for a target. Each line has the target to which it belongs; the lines of
 * prerequisites come first. Empty for an unknown target. `given`: variables that the command line sets.
 */
export function recipeOf(
  makefile: Makefile,
  target: string,
  given: ReadonlyMap<string, string> = new Map(),
  inside: readonly string[] = [],
): readonly { readonly target: string; readonly text: string }[] {
  const found = makefile.targets.get(target);
  if (found === undefined || inside.includes(target) || inside.length > deepest) return [];
  const variables = new Map([...makefile.variables, ...found.variables, ...given]);
  const within = [...inside, target];
  const before = found.needs.flatMap((need) => recipeOf(makefile, need, given, within));
  const automatic = new Map([
    ["@", target],
    ["<", found.needs[0] ?? ""],
    ["^", found.needs.join(" ")],
    ["MAKE", "make"],
    ["CURDIR", "."],
  ]);
  const own = found.recipe.map((line) => ({
    target,
    text: expand(line.replace(/^[@\-+\s]+/, ""), new Map([...variables, ...automatic])),
  }));
  return [...before, ...own];
}

/** Replaces variables. Removes calls of make's functions with unknown results. `$$` becomes the shell's `$`. */
function expand(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > deepest || !text.includes("$")) return text;
  return text.replaceAll(
    /\$\$|\$\(((?:[^()]|\([^()]*\))*)\)|\$\{([^{}]*)\}|\$(\w|[@<^])/g,
    (whole, round?: string, curly?: string, single?: string) => {
      if (whole === "$$") return "$";
      const name = (round ?? curly ?? single ?? "").trim();
      const listed = /^shell\s+(go list\b.*)$/.exec(name)?.[1];
      if (listed !== undefined) return `$(${listed})`;
      const value = variables.get(name.replace(/:.*$/s, ""));
      return value === undefined ? "" : expand(value, variables, depth + 1);
    },
  );
}
