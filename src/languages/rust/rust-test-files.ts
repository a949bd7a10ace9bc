/**
 * Finds the files that Cargo's test programs contain. Cargo makes a program of `tests/a.rs` and of `tests/a/main.rs`;
 * other files belong to a program only if a `mod` line names them.
 */
import { posix } from "node:path";
import type { TestFiles, TestFilesRequest } from "../contract.ts";

const manifestName = "Cargo.toml";
const module =
  /(?:#\[path\s*=\s*"(?<path>[^"]+)"\]\s*)?(?:^|[\s;}])(?:pub(?:\([^)]*\))?\s+)?mod\s+(?<name>[A-Za-z_]\w*)\s*;/g;
/** `include!("a.rs")`; `automod::dir!("tests/a")` names a folder from the package's root. */
const included = /\binclude!\s*\(\s*"(?<path>[^"]+\.rs)"/g;
const wholeFolder = /\bautomod::dir!\s*\(\s*(?:pub\s+)?"(?<path>[^"]+)"/g;
const asTests = /\[\[test\]\][^[]*?^[ \t]*path[ \t]*=[ \t]*"(?<path>[^"\n]+)"/gm;

export async function findRustTestFiles({ files, read }: TestFilesRequest): Promise<TestFiles> {
  const present = new Set(files);
  const packages = files
    .filter((path) => posix.basename(path) === manifestName)
    .map((path) => posix.dirname(path))
    .toSorted((one, other) => other.length - one.length);
  const packageOf = (path: string): string | undefined =>
    packages.find((folder) => folder === "." || path.startsWith(`${folder}/`));
  const isRust = (path: string): boolean => path.endsWith(".rs");
  const within = (path: string): string => posix.relative(packageOf(path) ?? ".", path);
  const ofTests = files.filter((path) => isRust(path) && /^tests\//.test(within(path)));
  const named = await namedRoots(packages, read);
  const roots = ofTests.filter((path) => named.has(path) || isRoot(within(path)));
  const built = new Set(roots);
  for (const file of built) {
    const text = (await read(file)) ?? "";
    const folder = packageOf(file) ?? ".";
    for (const path of modulesOf(file, text, {
      isRoot: roots.includes(file),
      folder,
      files: ofTests,
      present,
    }))
      built.add(path);
  }
  const beside = /^(?:examples|benches)\//;
  const left = files.filter(
    (path) => isRust(path) && !built.has(path) && (ofTests.includes(path) || beside.test(within(path))),
  );
  return {
    left: new Set(left),
    place: (path) =>
      /^tests\//.test(within(path)) ? placeOf(path, { present, built, packageOf }) : undefined,
  };
}

function isRoot(path: string): boolean {
  return /^tests\/(?:[^/]+|[^/]+\/main)\.rs$/.test(path);
}

async function namedRoots(packages: readonly string[], read: TestFilesRequest["read"]): Promise<Set<string>> {
  const named = new Set<string>();
  for (const folder of packages) {
    const text = (await read(posix.join(folder, manifestName))) ?? "";
    for (const { groups } of text.matchAll(asTests)) named.add(posix.join(folder, groups?.["path"] ?? ""));
  }
  return named;
}

interface Around {
  readonly isRoot: boolean;
  readonly folder: string;
  readonly files: readonly string[];
  readonly present: ReadonlySet<string>;
}

function modulesOf(
  file: string,
  text: string,
  { isRoot: isOfRoot, folder, files, present }: Around,
): string[] {
  const own = posix.dirname(file);
  const stem = posix.basename(file, ".rs");
  const inside = isOfRoot || /^(?:mod|main|lib)$/.test(stem) ? own : posix.join(own, stem);
  const found = [...text.matchAll(module)].flatMap(({ groups }) => {
    const { name = "", path } = groups ?? {};
    const usual =
      path === undefined
        ? [posix.join(inside, `${name}.rs`), posix.join(inside, name, "mod.rs")]
        : [posix.join(own, path)];
    const there = usual.filter((each) => present.has(each));
    // A module inside a module of the same file stands in a further folder.
    const further = (each: string): boolean =>
      each.startsWith(`${inside}/`) && (each.endsWith(`/${name}.rs`) || each.endsWith(`/${name}/mod.rs`));
    return there.length > 0 || path !== undefined ? there : files.filter(further);
  });
  const texts = [...text.matchAll(included)].map(({ groups }) => posix.join(own, groups?.["path"] ?? ""));
  const folders = [...text.matchAll(wholeFolder)].map(({ groups }) =>
    posix.join(folder, groups?.["path"] ?? ""),
  );
  return [
    ...found,
    ...texts.filter((path) => present.has(path)),
    ...files.filter((path) => folders.includes(posix.dirname(path))),
  ];
}

interface Known {
  readonly present: ReadonlySet<string>;
  readonly built: ReadonlySet<string>;
  readonly packageOf: (path: string) => string | undefined;
}

/** The line that adds a file to a program, or another place for it; undefined if a program contains it. */
function placeOf(path: string, { present, built, packageOf }: Known): string | undefined {
  const folder = packageOf(path);
  if (folder === undefined || built.has(path)) return undefined;
  const own = posix.dirname(path);
  const stem = posix.basename(path, ".rs");
  const above = ["main.rs", "mod.rs"].map((name) => posix.join(own, name));
  const parent = [...above, `${own}.rs`].find((each) => present.has(each) && built.has(each));
  return parent === undefined
    ? `Cargo builds no program of ${path}: write it as ${posix.join(folder, "tests", `${stem}.rs`)}.`
    : `The tests in ${own}/ are modules of one program: add the line \`mod ${stem};\` to ${parent}, or ${path} does not run.`;
}
