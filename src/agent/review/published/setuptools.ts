/** What a Python package lacks: the lists of modules and packages of setuptools. */
import { posix } from "node:path";
import { parse } from "smol-toml";
import { fieldOf, isRecord } from "../../../base/fields.ts";
import type { PackageFormat, Tree } from "./contract.ts";
import { readUses } from "./read-uses.ts";

interface Listed {
  readonly modules: readonly string[];
  /** `any`: setuptools searches for them. `marked`: it searches for folders with an `__init__.py`. */
  readonly packages: readonly string[] | "any" | "marked";
  /** The folder of the packages, relative to that of the manifest. */
  readonly root: string;
}

interface Project extends Listed {
  readonly manifest: string;
}

export const setuptools: PackageFormat = {
  sources: /\.py$/,
  manifests: /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg))$/,
  readRules: (path, text) =>
    JSON.stringify(readers.find(({ name }) => name === posix.basename(path))?.read(text) ?? ""),
  async listLacks(path, tree) {
    const project = await findProject(path, tree);
    const text = await tree.read(path);
    if (project === undefined || text === undefined || !publishes(project, path, tree)) return [];
    return (await readUses(path, text)).flatMap(({ source, name }) => {
      const needed = findModule(project, path, { source, name: name ?? "" }, tree);
      if (needed === undefined || publishes(project, needed, tree)) return [];
      return [{ needed, because: `the lists in ${project.manifest} leave out of the published package` }];
    });
  },
};

/** A module of the repository, where an installed package would search for it. */
function findModule(
  { root }: Project,
  path: string,
  { source, name }: { readonly source: string; readonly name: string },
  tree: Tree,
): string | undefined {
  const [, dots = "", module = ""] = /^(\.*)(.*)$/.exec(source) ?? [];
  const folder =
    dots === "" ? root : posix.join(posix.dirname(path), "../".repeat(Math.max(dots.length - 1, 0)));
  const base = posix.join(folder, module.replaceAll(".", "/"));
  const places = [...(/^\w+$/.test(name) ? [posix.join(base, name)] : []), base];
  return places
    .flatMap((place) => [`${place}.py`, `${place}/__init__.py`])
    .find((place) => tree.has(place) && !posix.relative(root, place).startsWith("../"));
}

function publishes({ modules, packages, root }: Project, path: string, tree: Tree): boolean {
  const own = posix.relative(root, path);
  const parts = own.replace(/\.py$/, "").split("/");
  if (parts[0] === "..") return false;
  const folders = parts.slice(0, -1);
  if (folders.length === 0) return modules.includes(parts[0] ?? "");
  if (packages === "any") return true;
  if (packages !== "marked") return packages.includes(folders.join("."));
  return folders.every((_, index) =>
    tree.has(posix.join(root, ...folders.slice(0, index + 1), "__init__.py")),
  );
}

/** Undefined for a project without such a list, or with one that is computed. */
async function findProject(path: string, tree: Tree): Promise<Project | undefined> {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    for (const { name, read } of readers) {
      const manifest = posix.join(folder, name);
      const listed = read((await tree.read(manifest)) ?? "");
      if (listed === "unknown") return undefined;
      if (listed !== undefined) return { ...listed, manifest, root: posix.join(folder, listed.root) };
    }
    if (folder === "." || folder === "/") return undefined;
  }
}

type Reader = (text: string) => Listed | "unknown" | undefined;
const readers: readonly { readonly name: string; readonly read: Reader }[] = [
  { name: "pyproject.toml", read: readPyproject },
  { name: "setup.cfg", read: readSetupCfg },
  { name: "setup.py", read: readSetupPy },
];

function readPyproject(text: string): Listed | "unknown" | undefined {
  let content: unknown;
  try {
    content = parse(text);
  } catch {
    return "unknown";
  }
  const tool = fieldOf(fieldOf(content, "tool"), "setuptools");
  const [modules, packages] = [fieldOf(tool, "py-modules"), fieldOf(tool, "packages")];
  if (modules === undefined && packages === undefined) return undefined;
  const folders = fieldOf(tool, "package-dir");
  const root = rootOf(isRecord(folders) ? Object.entries(folders) : []);
  if (root === undefined) return "unknown";
  return { modules: textsOf(modules), packages: isRecord(packages) ? "any" : textsOf(packages), root };
}

function readSetupCfg(text: string): Listed | "unknown" | undefined {
  const options = /^\[options\]\s*$([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text)?.[1] ?? "";
  const entryOf = (key: string): string[] | undefined => {
    const value = new RegExp(`^${key}[ \\t]*[=:]([^\\n]*(?:\\n[ \\t]+[^\\n]*|\\n(?=[ \\t]*\\n))*)`, "m").exec(
      options,
    );
    return value?.[1]
      ?.split(/[\n,]/)
      .map((each) => each.replace(/(?:^|\s)[#;].*$/, "").trim())
      .filter((each) => each !== "");
  };
  const [modules, packages] = [entryOf("py_modules"), entryOf("packages")];
  if (modules === undefined && packages === undefined) return undefined;
  const pairs = (entryOf("package_dir") ?? []).map((each) => each.split("=", 2).map((part) => part.trim()));
  const root = rootOf(pairs.map(([key = "", value = ""]) => [key, value]));
  if (
    root === undefined ||
    [...(modules ?? []), ...(packages ?? [])].some((each) => /^(?:attr|file):/.test(each))
  )
    return "unknown";
  const [first = ""] = packages ?? [];
  const searched = first === "find:" ? "marked" : first === "find_namespace:" ? "any" : undefined;
  return { modules: modules ?? [], packages: searched ?? packages ?? [], root };
}

function readSetupPy(text: string): Listed | "unknown" | undefined {
  const code = text.replaceAll(/#.*$/gm, "");
  if (!/\bsetup\s*\(/.test(code)) return undefined;
  const given = (key: string): boolean => new RegExp(`\\b${key}\\b`).test(code);
  if (!given("py_modules") && !given("packages")) return undefined;
  const modules = literalOf(code, "py_modules");
  const packages = literalOf(code, "packages");
  const isSearched =
    /\bpackages\s*=\s*find_packages\(\s*(?:(?:where\s*=\s*)?["'][^"']*["']\s*,?\s*)?\)\s*[,)]/.test(code);
  if (given("py_modules") && modules === undefined) return "unknown";
  if (given("packages") && packages === undefined && !isSearched) return "unknown";
  const folders = /\bpackage_dir\s*=\s*\{([^}]*)\}/.exec(code)?.[1];
  if (given("package_dir") && folders === undefined) return "unknown";
  const pairs = [...(folders ?? "").matchAll(/["']([^"']*)["']\s*:\s*["']([^"']*)["']/g)];
  const root = rootOf(pairs.map(([, key = "", value = ""]) => [key, value]));
  return root === undefined
    ? "unknown"
    : { modules: modules ?? [], packages: isSearched ? "marked" : (packages ?? []), root };
}

/** A list of strings, and nothing else, that the code gives once. */
function literalOf(code: string, key: string): string[] | undefined {
  const [only, more] = code.matchAll(
    new RegExp(`\\b${key}\\s*=\\s*[[(]((?:\\s*["'][\\w.]+["']\\s*,?)*)\\s*[\\])]\\s*[,)]`, "g"),
  );
  if (only === undefined || more !== undefined) return undefined;
  return [...(only[1] ?? "").matchAll(/["']([\w.]+)["']/g)].map(([, each = ""]) => each);
}

/** Undefined if single packages have folders of their own. */
function rootOf(folders: readonly (readonly [string, unknown])[]): string | undefined {
  if (folders.some(([name]) => name !== "")) return undefined;
  const root = folders[0]?.[1] ?? "";
  return typeof root === "string" ? root : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
