/**
 * Finds what a patch makes product code use although the published package lacks it: files that the package's manifest
 * leaves out, and packages that only its developers install. Tests run in the checkout, which has both.
 */
import { posix } from "node:path";
import { isTestFile } from "../../languages/source-files.ts";
import type { ChangedFile } from "../code/change.ts";
import type { BaseFiles } from "./base-files.ts";
import type { Finding } from "./contract.ts";
import { cargo } from "./published/cargo.ts";
import type { Lack, PackageFormat, Tree } from "./published/contract.ts";
import { npm } from "./published/npm.ts";
import { setuptools } from "./published/setuptools.ts";

const formats: readonly PackageFormat[] = [npm, setuptools, cargo];
const mostSearched = 3_000;

export async function judgeLeftOut(files: readonly ChangedFile[], base: BaseFiles): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const format of formats) {
    const isOf = ({ path }: ChangedFile): boolean => format.sources.test(path) || format.manifests.test(path);
    if (!files.some((file) => !file.isTest && isOf(file))) continue;
    const trees = {
      before: treeOf(await base.list(), base),
      after: treeAfter(files, await base.list(), base),
    };
    findings.push(...(await judgeFormat(format, files, trees)));
  }
  return findings;
}

interface Trees {
  readonly before: Tree;
  readonly after: Tree;
}

async function judgeFormat(
  format: PackageFormat,
  files: readonly ChangedFile[],
  { before, after }: Trees,
): Promise<Finding[]> {
  const tests = new Set(files.filter(({ isTest }) => isTest).map(({ path }) => path));
  const isProduct = (path: string): boolean =>
    format.sources.test(path) && !isTestFile(path) && !tests.has(path);
  // With another manifest, each file of the package may lack something.
  const isOther = files.some(
    ({ path, before: old = "", after: text = "" }) =>
      format.manifests.test(path) && format.readRules(path, old) !== format.readRules(path, text),
  );
  const paths = isOther ? after.list() : files.map(({ path }) => path).filter((path) => after.has(path));
  const found = new Map<string, Finding>();
  for (const path of paths.filter(isProduct).slice(0, mostSearched)) {
    for (const lack of await format.listLacks(path, after)) {
      if (found.has(lack.needed) || (await isKnown(format, lack, before, path))) continue;
      const text = `${path} uses \`${lack.needed}\`, which ${lack.because}.`;
      found.set(lack.needed, { weight: "objection", text });
    }
  }
  return [...found.values()];
}

/** On the base, published code lacks the same already. */
async function isKnown(format: PackageFormat, { needed }: Lack, base: Tree, first: string): Promise<boolean> {
  const word = posix.basename(needed).replace(/\.\w+$/, "");
  const others = base
    .list()
    .filter((path) => path !== first && format.sources.test(path) && !isTestFile(path));
  for (const path of [first, ...others.slice(0, mostSearched)]) {
    const text = await base.read(path);
    if (text === undefined || !(text.includes(word) || /^(?:index|__init__|mod)$/.test(word))) continue;
    if ((await format.listLacks(path, base)).some((lack) => lack.needed === needed)) return true;
  }
  return false;
}

function treeOf(paths: readonly string[], { read }: BaseFiles): Tree {
  const known = new Set(paths);
  const texts = new Map<string, Promise<string | undefined>>();
  return {
    has: (path) => known.has(path),
    list: () => paths,
    async read(path) {
      if (!known.has(path)) return undefined;
      const text = texts.get(path) ?? read(path);
      texts.set(path, text);
      return text;
    },
  };
}

function treeAfter(files: readonly ChangedFile[], listed: readonly string[], base: BaseFiles): Tree {
  const changed = new Map(files.map((file) => [file.path, file.after]));
  const paths = [
    ...listed.filter((path) => !changed.has(path)),
    ...files.flatMap(({ path, after }) => (after === undefined ? [] : [path])),
  ];
  return treeOf(paths, {
    ...base,
    read: async (path) => (changed.has(path) ? changed.get(path) : base.read(path)),
  });
}
