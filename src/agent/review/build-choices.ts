/**
 * Choices by how or for what a program is built that stand outside of its code: constraints and names of Go files, and a crate that
 * depends on itself for its tests, with features that nobody else turns on.
 */
import { basename } from "node:path";
import { isTestFile } from "../../languages/source-files.ts";
import { built } from "./attack-sign-builds.ts";
import type { BaseFiles } from "./base-files.ts";
import { addedLines, type ChangedFile, linesOf } from "./change.ts";
import type { Finding } from "./contract.ts";

const constraint = /^\/\/(?:go:build|\s*\+build)\s+(?!ignore\b)/;
const platformName =
  /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm)\.go$/;
const ownCrate = /\bpath\s*=\s*"\.\/?"/;
const mostSearched = 1_000;

export async function judgeBuildChoice(
  file: ChangedFile,
  base: BaseFiles,
  subjects: string,
): Promise<Finding[]> {
  const { path, before, after, isTest } = file;
  if (isTest || after === undefined || built.excuse.test(subjects)) return [];
  const lines = linesOf(after);
  const added = addedLines(file).map((number) => lines[number - 1] ?? "");
  if (basename(path) === "Cargo.toml" && added.some((line) => ownCrate.test(line)))
    return [
      { weight: "objection", text: `${path} lets the crate depend on itself, built otherwise for tests.` },
    ];
  if (!path.endsWith(".go")) return [];
  const isNew = before === undefined && platformName.test(path);
  if (!isNew && !added.some((line) => constraint.test(line))) return [];
  const isKnown = await hasOthers(base, path);
  return [{ weight: isKnown ? "doubt" : "objection", text: `${path} brings in ${built.sign}.` }];
}

/** The project has files for some platforms or tags already. */
async function hasOthers(base: BaseFiles, path: string): Promise<boolean> {
  const others = (await base.list()).filter(
    (each) => each.endsWith(".go") && each !== path && !isTestFile(each),
  );
  for (const other of others.slice(0, mostSearched)) {
    if (platformName.test(other)) return true;
    const text = await base.read(other);
    if (text?.split("\n", 40).some((line) => constraint.test(line)) === true) return true;
  }
  return false;
}
