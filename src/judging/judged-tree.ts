/**
 * Composes the tree that is judged: a candidate's files with the base's configuration. The configuration is all files
 * that determine how a framework finds, runs and reports tests.
 */

import { posix } from "node:path";
import picomatch from "picomatch";
import { folderOf } from "../base/folder-of.ts";
import type { JudgingFile, Language, TestCommand } from "../languages/contract.ts";
import { languages } from "../languages/languages.generated.ts";
import { plainCommand } from "../languages/shell/plain-command.ts";
import { isSourceFile, isTestFile, languageOf } from "../languages/source-files.ts";
import type { FileChange, TreeStore } from "../workspace/contract.ts";
import { fileMode } from "../workspace/file-mode.ts";
import { findConfiguredModules, isInstalled, stemOf } from "./configured-modules.ts";
import { layParts } from "./lay-parts.ts";

export interface JudgedTree {
  /** The candidate's own tree, if it leaves the configuration unchanged. */
  readonly tree: string;
  /** The files whose version differs from the candidate's. */
  readonly laid: readonly string[];
  /** The files that the candidate adds, changes or deletes. */
  readonly changed: readonly string[];
}

export interface Judge {
  /**
   * Makes the judged tree of a tree. The same tree always gives the same result. Cheap if the tree leaves the
   * configuration unchanged.
   */
  judgedTree(tree: string): Promise<JudgedTree>;
}

export interface JudgeSources {
  readonly trees: Pick<TreeStore, "list" | "read" | "write" | "stat">;
  readonly base: string;
  readonly rules: readonly JudgingFile[];
  /** The test command. A repository script that it starts also counts as configuration. */
  readonly command: Started | undefined;
}

export function openJudge(sources: JudgeSources): Judge {
  const known = new Map<string, Promise<JudgedTree>>();
  let matching: Promise<Matching> | undefined;
  return {
    judgedTree(tree) {
      matching ??= readMatching(sources);
      const found = known.get(tree) ?? layBase(sources, tree, matching);
      known.set(tree, found);
      return found;
    },
  };
}

interface Matching {
  readonly rules: readonly { readonly rule: JudgingFile; readonly matches: (path: string) => boolean }[];
  /** Files of the base that the base's configuration or the command loads. */
  readonly loaded: ReadonlySet<string>;
  /** Matches files that the base's configuration includes, even if the base lacks them. */
  readonly isIncluded: (path: string) => boolean;
  /** Matches modules that only the base's configuration imports, and files that would take their place. */
  readonly isImported: (path: string) => boolean;
  readonly files: readonly string[];
}

async function readMatching({ trees, base, rules, command }: JudgeSources): Promise<Matching> {
  const files = (await trees.list(base)).map(({ path }) => path);
  const compiled = rules.map((rule) => ({ rule, matches: picomatch(rule.files, { dot: true }) }));
  const started = command === undefined ? [] : await listStarted(command, files, trees, base);
  const read = async (path: string): Promise<string | undefined> =>
    (await trees.read(base, path))?.toString("utf8");
  const isInParts = (path: string): boolean =>
    compiled.some(({ rule, matches }) => rule.parts !== undefined && matches(path));
  const importing = compiled.filter(({ rule }) => rule.followsImports === true);
  const configuration = files.filter(
    (path) =>
      (importing.some(({ matches }) => matches(path)) && !isInstalled(path)) ||
      (started.includes(path) && /\.config\.\w+$/.test(path)),
  );
  const imported = await findConfiguredModules({ configuration, files, read });
  const modules = imported.filter((path) => !isInParts(path));
  const loaded = new Set(started);
  for (const { rule, matches } of compiled) {
    if (rule.loads === undefined) continue;
    const everywhere = new RegExp(rule.loads, `${rule.loads.flags.replace("g", "")}g`);
    const own = files.filter((each) => matches(each) && !isInstalled(each));
    for (const path of new Set([...own, ...started, ...modules])) {
      const text = (await read(path))?.slice(0, longestRead) ?? "";
      for (const [, value = ""] of text.matchAll(everywhere))
        for (const file of filesNamed(value, posix.dirname(path), files)) loaded.add(file);
    }
  }
  for (const path of loaded) if (isCode(path, files) || isInParts(path)) loaded.delete(path);
  for (const { rule, matches } of compiled) {
    const { followsTestCode: holding } = rule;
    if (holding === undefined) continue;
    const setup = [...loaded, ...files.filter((path) => matches(path) && !isInstalled(path))];
    modules.push(...(await findConfiguredModules({ configuration: setup, files, read, holding })));
  }
  const including = { trees, base, rules: compiled, files, started };
  const globs = await listIncluded(including);
  // A file that includes others may change itself, unless another rule restores it.
  const laying = compiled.filter(({ rule }) => rule.includes === undefined);
  const stems = new Set(modules.map(stemOf));
  const isImported = (path: string): boolean => stems.has(stemOf(path)) && !isInParts(path);
  return { rules: laying, loaded, isIncluded: picomatch(globs, { dot: true }), isImported, files };
}

interface Including extends Pick<JudgeSources, "trees" | "base"> {
  readonly rules: Matching["rules"];
  readonly files: readonly string[];
  /** Files that the command starts. */
  readonly started: readonly string[];
}

/** Lists globs of the files that the base's Makefiles and similar files include, also through other included files. */
async function listIncluded({ trees, base, rules, files, started }: Including): Promise<string[]> {
  const all = new Set<string>();
  const unread = started.filter((path) => !isSourceFile(path));
  for (const { rule, matches } of rules) {
    const { includes } = rule;
    if (includes === undefined) continue;
    const own = files.filter((each) => matches(each) && !isInstalled(each));
    const parts = new Set([...own, ...unread]);
    // The loop also visits the parts that it adds.
    for (const path of parts) {
      const text = (await trees.read(base, path))?.toString("utf8") ?? "";
      const named = [...text.replaceAll(/\\\r?\n/g, " ").matchAll(includes)];
      const globs = named.flatMap(({ 1: value = "", groups }) => {
        const own = globsOf(value, posix.dirname(path));
        return groups?.["folder"] === undefined ? own : own.map((glob) => `${glob}/**`);
      });
      if (globs.length === 0) continue;
      const isPart = picomatch(globs, { dot: true });
      for (const each of files) if (isPart(each)) parts.add(each);
      for (const glob of globs) all.add(glob);
    }
  }
  return [...all];
}

/**
 * Makes globs from an include. `$(wildcard conf/*.inc)` names its files. Any other variable may have any value within a
 * folder's name. A variable alone may name any part of a Makefile.
 */
function globsOf(value: string, folder: string): string[] {
  const plain = value
    .replaceAll(/\$\((?:wildcard|sort)\s+([^()]*)\)/g, "$1")
    .replaceAll(/\$(?:\([^()]*\)|\{[^{}]*\}|\w)/g, "*");
  const words = plain.split(/\s+/);
  const named = words
    .filter((word) => /^[\w./*?+@~-]+$/.test(word) && /\w{2}/.test(word))
    .flatMap((word) => [posix.join(folder, word), posix.normalize(word)]);
  return words.some((word) => /^\*+$/.test(word)) ? [...named, "**/*.{mk,mak}"] : named;
}

const known: readonly Language[] = languages;
const endings = [
  "",
  ...known.filter(({ importedStems }) => importedStems !== undefined).flatMap(({ extensions }) => extensions),
];

/**
 * Returns the repository's files that a list of quoted strings or words names. Also finds a module by its dotted name.
 */
function filesNamed(value: string, folder: string, files: readonly string[]): string[] {
  const quoted = [...value.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(([, a, b]) => a ?? b ?? "");
  const words = quoted.length > 0 ? quoted : value.split(/[\s,[\]]+/);
  const present = new Set(files);
  return words.flatMap((word) => {
    const plain = word.replace(/^<rootDir>\//, "./");
    if (plain === "" || plain === ".") return [];
    const paths = [plain, ...(/[/\\]/.test(plain) ? [] : [plain.replaceAll(".", "/")])];
    const places = paths.flatMap((path) => [posix.join(folder, path), posix.normalize(path)]);
    return places
      .flatMap((path) => endings.map((ending) => path + ending))
      .filter((path) => present.has(path));
  });
}

type Started = Pick<TestCommand, "command" | "directory"> & { readonly framework?: string };

/**
 * Returns the files that a command starts (`sh scripts/test.sh`, `make -f tests.mk`), and the files that its options
 * name (`pytest -c ci.ini`, `mocha --require ./hooks.js`). The options may be in a script that the command calls. A test
 * itself does not count.
 */
async function listStarted(
  { command, directory, framework = "" }: Started,
  files: readonly string[],
  trees: JudgeSources["trees"],
  base: string,
): Promise<string[]> {
  const words = command.split(/\s+/).filter((word) => word !== "" && !word.includes("="));
  const named = namedByOptions(command, directory, files);
  const runner = framework.split("-")[0] ?? "";
  const calling = files.filter(
    (path) => callsRunner.test(posix.basename(path)) && ["", directory].includes(folderOf(path)),
  );
  for (const path of runner === "" ? [] : calling) {
    const text = (await trees.read(base, path))?.toString("utf8") ?? "";
    const lines = text.split("\n").filter((line) => line.length < longestCall && line.includes(runner));
    for (const line of lines) named.push(...namedByOptions(line, folderOf(path), files));
  }
  const first = words.slice(0, 2).map((word) => posix.join(directory, word));
  if (framework === plainCommand)
    first.push(...(await listCheckers([...calling, ...first], files, trees, base)));
  // The only code of a project is the tested code: `ruby -r./fees test.rb`.
  const code = files.filter(isSourceFile);
  const isAlone = code.every((path) => named.includes(path));
  const found = new Set([...first, ...named.filter((path) => !isAlone || !code.includes(path))]);
  return [...found].filter((path) => files.includes(path) && !isTestFile(path));
}

/** A name of a program that checks others, without its extension. */
const checker =
  /(?:^|\/)(?:ci|tools?|scripts?|checks?)\/|(?:^|[/_.-])(?:tests?|checks?|checker|specs?|verify|selftest|runner)(?:[/_.-]|$)/i;

/** Returns the programs with a checker's name that a plain command's scripts name, also through other scripts. */
async function listCheckers(
  scripts: readonly string[],
  files: readonly string[],
  trees: JudgeSources["trees"],
  base: string,
): Promise<string[]> {
  const present = new Set(files);
  const read = new Set(scripts.filter((path) => present.has(path)));
  const found = new Set<string>();
  // The loop also visits the scripts that it adds.
  for (const path of read) {
    const text = (await trees.read(base, path))?.toString("utf8").slice(0, longestRead) ?? "";
    for (const word of new Set(text.split(/[\s"'`;&|()$={}<>,]+/))) {
      const named = [posix.normalize(word), posix.join(folderOf(path), word)].filter((each) =>
        present.has(each),
      );
      for (const each of named) {
        if (!checker.test(each.replace(/\.\w+$/, ""))) continue;
        found.add(each);
        if (!isSourceFile(each)) read.add(each);
      }
    }
  }
  return [...found];
}

/** Patterns of lists take the square of the length of a hostile text. */
const longestRead = 50_000;
/** Files with commands that call test runners. */
const callsRunner =
  /^(?:package\.json|(?:GNU)?[mM]akefile|[jJ]ustfile|Taskfile\.ya?ml|tox\.ini|noxfile\.py|Rakefile)$/;
const longestCall = 2_000;

/** Returns the files that options name, without code that may be the tested code: `pytest --doctest-modules fees.py`. */
function namedByOptions(text: string, folder: string, files: readonly string[]): string[] {
  return [...text.matchAll(optionValue)].flatMap(([, variable, long, short, value = ""]) => {
    const name = variable ?? long ?? short ?? "";
    const named = filesNamed(value.replaceAll(/["']/g, ""), folder, files);
    return named.filter((path) => languageOf(path) === undefined || isLoader(name, path));
  });
}

/** An option or a variable with its value: `-c ci.ini`, `--config=ci.json`, `-r./boot`, `-exec 'sh run.sh'`. */
const optionValue =
  /(?<=^|[\s"'=])(?:([A-Z][A-Z_]+)=|--?([\w-]+)[ =]+(?!-)|-([a-zA-Z])(?=[./\w]))("[^"]*"|'[^']*'|[^\s"';&|]+)/g;

/** True for an option whose value is code that the runner loads or starts. Compilers have an option `-c`, too. */
function isLoader(option: string, path: string): boolean {
  if (option === "c") return /\.[cm]?[jt]s$/.test(path);
  return /^(?:[rpO]|exec|.*(?:require|import|loader|reporter|plugin|bootstrap|helper|config|setup|environment|transform|runner|resolver)\w*)$/i.test(
    option,
  );
}

/**
 * True for a file in a folder of code, or a module of a Python package. Such a file remains code even if the
 * configuration loads it.
 */
function isCode(path: string, files: readonly string[]): boolean {
  if (/^(?:src|lib|pkg|internal)\//.test(path)) return true;
  return (
    path.endsWith(".py") &&
    !isTestFile(path) &&
    files.includes(posix.join(posix.dirname(path), "__init__.py"))
  );
}

async function layBase(
  sources: JudgeSources,
  tree: string,
  matching: Promise<Matching>,
): Promise<JudgedTree> {
  const { trees, base } = sources;
  if (tree === base) return { tree, laid: [], changed: [] };
  const { rules, loaded, isIncluded, isImported, files } = await matching;
  const changes: FileChange[] = [];
  let entries: Map<string, FileChange["mode"]> | undefined;
  const changed = (await trees.stat(base, tree)).map(({ path }) => path);
  for (const path of changed) {
    const own = rules.filter(
      ({ rule, matches }) => matches(path) && !(rule.isShadow && isKnown(rule, path, files)),
    );
    const isWhole = loaded.has(path) || isIncluded(path) || isImported(path);
    if (own.length === 0 && !isWhole) continue;
    const [before, after] = [await trees.read(base, path), await trees.read(tree, path)];
    const judged = isWhole
      ? before
      : own.reduce<Buffer | undefined>((now, { rule }) => layFile(rule, before, now), after);
    if (judged === after || (judged !== undefined && after !== undefined && judged.equals(after))) continue;
    entries ??= new Map((await trees.list(base)).map(({ path: each, mode }) => [each, fileMode(mode)]));
    const mode = entries.get(path);
    changes.push({ path, content: judged ?? null, ...(mode === undefined ? {} : { mode }) });
  }
  if (changes.length === 0) return { tree, laid: [], changed };
  const obstacles = await obstaclesOf(sources, tree, changes);
  const judged = await trees.write(tree, [...obstacles, ...changes]);
  return { tree: judged, laid: changes.map(({ path }) => path), changed };
}

/** Returns files of the candidate at whose path the base has a folder with something to restore. */
async function obstaclesOf(
  { trees }: JudgeSources,
  tree: string,
  changes: readonly FileChange[],
): Promise<FileChange[]> {
  const folders = changes
    .filter(({ content }) => content !== null)
    .flatMap(({ path }) =>
      path
        .split("/")
        .slice(0, -1)
        .map((_, at, all) => all.slice(0, at + 1).join("/")),
    );
  const found: FileChange[] = [];
  for (const path of new Set(folders))
    if ((await trees.read(tree, path)) !== undefined) found.push({ path, content: null });
  return found;
}

/** Returns the file for the judged tree; undefined if the tree must not have the file. */
function layFile({ parts, holding }: JudgingFile, before: Buffer | undefined, after: Buffer | undefined) {
  const [old, now] = [before?.toString("utf8"), after?.toString("utf8")];
  if (holding !== undefined && ![old, now].some((text) => text !== undefined && holding.test(text)))
    return after;
  if (parts === undefined || now === undefined) return before;
  // A new file of a build tool or package concerns no tests, and a build that only it describes is entirely new.
  if (old === undefined && (parts.format === "maven" || parts.format === "gradle")) return undefined;
  const laid = layParts(parts, old ?? "", now);
  return laid === now ? after : old === undefined && laid.trim() === "" ? undefined : Buffer.from(laid);
}

/**
 * True if the base has the folder or module that the rule matches on the path, or if this module is in a package. A
 * shadow rule then does not apply.
 */
function isKnown({ files: glob }: JudgingFile, path: string, files: readonly string[]): boolean {
  const matches = picomatch(glob, { dot: true });
  const parts = path.split("/");
  // The shortest prefix of the path that the rule treats as a library.
  for (let length = 1; length <= parts.length; length += 1) {
    const head = parts.slice(0, length).join("/");
    const isFolder = length < parts.length;
    if (!matches(isFolder ? `${head}/x` : head)) continue;
    // A module of a package is imported by the package's name.
    const isInside = length > 1 && files.includes(`${posix.dirname(head)}/__init__.py`);
    return isInside || files.some((file) => file === head || file.startsWith(`${head}/`));
  }
  return false;
}
