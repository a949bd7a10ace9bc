/**
 * Finds the files that Cargo's test programs contain. Cargo makes a program of `tests/a.rs` and of `tests/a/main.rs`,
 * unless the manifest says `autotests = false`. Other files belong to a program only if a `mod` line names them.
 */
import { posix } from "node:path";
import type { TestFiles, TestFilesRequest } from "../contract.ts";

const manifestName = "Cargo.toml";
/** A module in another file, with the attributes before it. */
const module =
  /(?<attributes>(?:#\[(?:[^\]"]|"[^"]*"){1,300}\]\s*){0,8})(?<![\w.:#])(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?(?<name>[A-Za-z_]\w*)\s*;/g;
const pathAttribute = /\bpath\s*=\s*"(?<path>[^"]+)"/g;
/** `include!("a.rs")`; `automod::dir!("tests/a")` names a folder from the package's root. */
const included = /\binclude!\s*\(\s*"(?<path>[^"]+\.rs)"/g;
const wholeFolder = /\bautomod::dir!\s*\(\s*(?:pub\s+)?"(?<path>[^"]+)"/g;

export async function findRustTestFiles({ files, read }: TestFilesRequest): Promise<TestFiles> {
  const present = new Set(files);
  const packages = new Set(
    files.filter((path) => posix.basename(path) === manifestName).map((path) => posix.dirname(path)),
  );
  const ofFolders = new Map<string, string | undefined>();
  const around = (folder: string): string | undefined => {
    if (packages.has(folder)) return folder;
    if (folder === "." || folder === "/") return undefined;
    if (!ofFolders.has(folder)) ofFolders.set(folder, around(posix.dirname(folder)));
    return ofFolders.get(folder);
  };
  const packageOf = (path: string): string | undefined => around(posix.dirname(path));
  const within = (path: string): string => {
    const folder = packageOf(path) ?? ".";
    return folder === "." ? path : path.slice(folder.length + 1);
  };
  const ofRust = files.filter((path) => path.endsWith(".rs")).map((path) => [path, within(path)] as const);
  const tests = ofRust.filter(([, inside]) => inside.startsWith("tests/"));
  const { named, closed } = await readManifests(
    new Set(tests.flatMap(([path]) => packageOf(path) ?? [])),
    read,
  );
  const isFound = (path: string, inside: string): boolean =>
    isRoot(inside) && !closed.has(packageOf(path) ?? "");
  const roots = new Set(
    tests.filter(([path, inside]) => named.has(path) || isFound(path, inside)).map(([path]) => path),
  );
  const ofTests: TestTree = { present, roots, byName: byModuleName(tests.map(([path]) => path)) };
  const built = new Set(roots);
  const above = new Map<string, string[]>();
  for (const file of built) {
    const text = withoutComments((await read(file)) ?? "");
    for (const path of modulesOf(file, text, packageOf(file) ?? ".", ofTests)) {
      const known = above.get(path);
      if (known === undefined) above.set(path, [file]);
      else known.push(file);
      built.add(path);
    }
  }
  const isLeft = ([path, inside]: readonly [string, string]): boolean =>
    !built.has(path) && /^(?:tests|examples|benches)\//.test(inside);
  const known = { present, built, roots, closed, above, packageOf };
  return {
    left: new Set(ofRust.filter(isLeft).map(([path]) => path)),
    place: (path, taken) =>
      within(path).startsWith("tests/") ? placeOf(path, known, taken ?? new Set()) : undefined,
  };
}

function isRoot(path: string): boolean {
  return /^tests\/(?:[^/]+|[^/]+\/main)\.rs$/.test(path);
}

interface Manifests {
  /** The programs that manifests name. */
  readonly named: ReadonlySet<string>;
  /** The packages with `autotests = false`, whose test programs are only those in the manifest. */
  readonly closed: ReadonlySet<string>;
}

async function readManifests(
  packages: ReadonlySet<string>,
  read: TestFilesRequest["read"],
): Promise<Manifests> {
  const named = new Set<string>();
  const closed = new Set<string>();
  for (const folder of packages) {
    const text = (await read(posix.join(folder, manifestName))) ?? "";
    for (const table of text.split(/^(?=[ \t]*\[)/m)) {
      if (/^\s*\[\s*package\s*\]/.test(table) && /^[ \t]*autotests\s*=\s*false\b/m.test(table))
        closed.add(folder);
      if (!/^\s*\[\[\s*test\s*\]\]/.test(table)) continue;
      const path = textValue(table, "path");
      const name = textValue(table, "name");
      const usual = name === undefined ? [] : [`tests/${name}.rs`, `tests/${name}/main.rs`];
      for (const each of path === undefined ? usual : [path]) named.add(posix.join(folder, each));
    }
  }
  return { named, closed };
}

function textValue(table: string, key: string): string | undefined {
  const form = new RegExp(`^[ \\t]*${key}\\s*=\\s*(?:"([^"\\n]+)"|'([^'\\n]+)')`, "m");
  const [, double, single] = form.exec(table) ?? [];
  return double ?? single;
}

/** Removes comments, but keeps string and character literals, which may contain comment marks. */
function withoutComments(text: string): string {
  return text.replaceAll(textOrComment, (whole) => (/^\/[/*]/.test(whole) ? " " : whole));
}
const textOrComment =
  /(?<![\w#])[bc]?r"[^"]*"|r(#{1,3})"[\s\S]*?(?:"\1|$)|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\.)'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

interface TestTree {
  readonly present: ReadonlySet<string>;
  readonly roots: ReadonlySet<string>;
  /** The test files, by their possible module name. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

function byModuleName(files: readonly string[]): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const path of files) {
    const name = unitOf(path).name;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [path]);
    else known.push(path);
  }
  return byName;
}

/** A module's name and the folder around it: `a/b/mod.rs` is the module `b` in `a`. */
function unitOf(path: string): { readonly name: string; readonly folder: string } {
  const stem = posix.basename(path, ".rs");
  const folder = posix.dirname(path);
  return stem === "mod"
    ? { name: posix.basename(folder), folder: posix.dirname(folder) }
    : { name: stem, folder };
}

function modulesOf(
  file: string,
  text: string,
  folder: string,
  { present, roots, byName }: TestTree,
): string[] {
  const own = posix.dirname(file);
  const stem = posix.basename(file, ".rs");
  const inside = roots.has(file) || /^(?:mod|main|lib)$/.test(stem) ? own : posix.join(own, stem);
  const found = [...text.matchAll(module)].flatMap(({ groups }) => {
    const { name = "", attributes = "" } = groups ?? {};
    const paths = [...attributes.matchAll(pathAttribute)].map((match) =>
      posix.join(own, match.groups?.["path"] ?? ""),
    );
    const given = paths.filter((path) => present.has(path));
    // Under a condition, both the path and the usual place can count.
    if (/#\[\s*path\b/.test(attributes)) return given;
    const usual = [posix.join(inside, `${name}.rs`), posix.join(inside, name, "mod.rs")];
    const there = [...given, ...usual.filter((path) => present.has(path))];
    // A module inside a module of the same file stands in a further folder.
    return there.length > 0
      ? there
      : (byName.get(name) ?? []).filter((path) => path.startsWith(`${inside}/`));
  });
  const texts = [...text.matchAll(included)].map(({ groups }) => posix.join(own, groups?.["path"] ?? ""));
  const folders = new Set(
    [...text.matchAll(wholeFolder)].map(({ groups }) => posix.join(folder, groups?.["path"] ?? "")),
  );
  const whole =
    folders.size === 0 ? [] : [...byName.values()].flat().filter((path) => folders.has(posix.dirname(path)));
  return [...found, ...texts.filter((path) => present.has(path)), ...whole];
}

interface Known {
  readonly present: ReadonlySet<string>;
  readonly built: ReadonlySet<string>;
  readonly roots: ReadonlySet<string>;
  /** The packages with `autotests = false`, whose test programs are only those in the manifest. */
  readonly closed: ReadonlySet<string>;
  /** The files whose `mod` lines name a module's file. */
  readonly above: ReadonlyMap<string, readonly string[]>;
  readonly packageOf: (path: string) => string | undefined;
}

const keyword =
  /^(?:as|async|await|box|break|const|continue|do|dyn|else|enum|extern|final|fn|for|if|impl|in|let|loop|macro|match|mod|move|mut|override|priv|pub|ref|return|static|struct|trait|try|type|unsafe|use|where|while|yield)$/;

/** The line that adds a file to a program, or another place for it; undefined if a program contains it. */
function placeOf(path: string, known: Known, taken: ReadonlySet<string>): string | undefined {
  const around = known.packageOf(path);
  if (around === undefined || known.built.has(path)) return undefined;
  const { name, folder } = unitOf(path);
  const tests = posix.join(around, "tests");
  const parent = folder === tests ? undefined : parentIn(folder, known, taken);
  if (parent === undefined && known.closed.has(around)) return placeInNamed(path, around, known, taken);
  if (parent === undefined)
    return `Cargo builds no program from ${path}: write it as ${freeName(tests, path, known.present)}.`;
  if (!/^[A-Za-z_]\w*$/.test(name))
    return `The tests in ${folder}/ are modules of one program, and \`${name}\` cannot be a module's name: rename ${path}.`;
  const line = `mod ${keyword.test(name) ? "r#" : ""}${name};`;
  return `The tests in ${folder}/ are modules of one program: add the line \`${line}\` to ${parent}, or ${path} does not run.`;
}

/** Maximum number of programs that a message names. */
const mostNamed = 3;

/** A place for tests in a package where Cargo builds only the programs that the manifest names. */
function placeInNamed(
  path: string,
  around: string,
  { roots, packageOf }: Known,
  taken: ReadonlySet<string>,
): string {
  const own = [...roots].filter((root) => packageOf(root) === around && !taken.has(root)).slice(0, mostNamed);
  const place =
    own.length === 0 ? "a file that a `[[test]]` table names, or into the sources" : own.join(" or ");
  const why = `${posix.join(around, manifestName)} says \`autotests = false\``;
  return `Cargo builds no program from ${path}, because ${why}: put its tests into ${place}.`;
}

/** The file that names the modules of a folder, for exactly one program. */
function parentIn(
  folder: string,
  { built, roots, above }: Known,
  taken: ReadonlySet<string>,
): string | undefined {
  const ofFolder = [...roots].filter((root) => posix.dirname(root) === folder);
  const modules = [posix.join(folder, "mod.rs"), `${folder}.rs`].filter((path) => !roots.has(path));
  return [...(ofFolder.length === 1 ? ofFolder : []), ...modules].find(
    (path) => built.has(path) && !taken.has(path) && isOfOneProgram(path, roots, above),
  );
}

/**
 * True if exactly one program contains the file, and this program has its own folder. Programs directly in `tests`
 * share their helpers.
 */
function isOfOneProgram(path: string, roots: ReadonlySet<string>, above: Known["above"]): boolean {
  const reached = new Set([path]);
  for (const each of reached) for (const parent of above.get(each) ?? []) reached.add(parent);
  const programs = [...reached].filter((each) => roots.has(each));
  return programs.length === 1 && programs.every((root) => posix.basename(posix.dirname(root)) !== "tests");
}

/** A path for a separate program whose name no other program has. */
function freeName(tests: string, path: string, present: ReadonlySet<string>): string {
  const { name, folder } = unitOf(path);
  const own = name === "main" ? posix.basename(folder) : name;
  const names = [own, `${posix.basename(folder)}_${own}`];
  for (let number = 2; ; number += 1) {
    const free = names.find(
      (each) =>
        !present.has(posix.join(tests, `${each}.rs`)) && !present.has(posix.join(tests, each, "main.rs")),
    );
    if (free !== undefined) return posix.join(tests, `${free}.rs`);
    names.push(`${own}_${number}`);
  }
}
