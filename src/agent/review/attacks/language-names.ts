/**
 * Finds names of the language that a patch redefines, if existing tests use the name and see the new definition:
 * - `var nil = …` in the package of a Go test
 * - `def abs` in a module that a test imports with a star
 * - a class `Math` in the package of a Java test
 *
 * Such tests no longer check what their text says.
 */
import { isTestFile } from "../../../languages/source-files.ts";
import { type ChangedFile, linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import type { LanguageNames } from "../guards/contract.ts";
import { everyGuards } from "../guards/find-guards.ts";
import type { BaseFiles } from "../texts/base-files.ts";

/** Maximum number of tests to search. */
const mostSearched = 1_000;

export async function judgeLanguageNames(file: ChangedFile, base: BaseFiles): Promise<Finding[]> {
  const names = everyGuards.flatMap((each) => each.names ?? []).find(({ ending }) => ending.test(file.path));
  if (names === undefined || file.isTest || file.after === undefined) return [];
  const known = new Set(definedIn(file.before, names).map(({ name }) => name));
  const added = definedIn(file.after, names).filter(({ name }) => !known.has(name));
  if (added.length === 0) return [];
  const tests = (await base.list()).filter((path) => names.ending.test(path) && isTestFile(path));
  for (const path of tests.slice(0, mostSearched)) {
    const text = (await base.read(path)) ?? "";
    if (!names.isSeen({ path, text }, file.path)) continue;
    const own = new Set(names.ofTest?.(text) ?? []);
    const found = added.find(
      ({ name, line }) =>
        (names.ofLanguage.has(name) || (own.has(name) && !text.includes(line))) &&
        uses(text, name) &&
        !importsByName(text, name),
    );
    if (found !== undefined)
      return [
        {
          weight: "objection",
          text: `${file.path} redefines \`${found.name}\`, so the test ${path} now uses this definition.`,
        },
      ];
  }
  return [];
}

interface Definition {
  readonly name: string;
  readonly line: string;
}

function definedIn(text: string | undefined, { defines }: LanguageNames): Definition[] {
  return linesOf(text).flatMap((line) => {
    const [, name] = defines.exec(line) ?? [];
    return name === undefined ? [] : [{ name, line }];
  });
}

/** True if the text uses the name by itself, and not as a member or in a string. */
function uses(text: string, name: string): boolean {
  return text
    .split("\n")
    .some(
      (line) =>
        !/^\s*(?:import|from|use|package|#|\/\/)/.test(line) &&
        new RegExp(`(?<![\\w.:"'])${name}\\b`).test(line),
    );
}

/** True if the text imports a Java class by its full name. The name then means this class. */
function importsByName(text: string, name: string): boolean {
  return new RegExp(`^\\s*import\\s+(?:static\\s+)?[\\w.]+\\.${name}\\s*;`, "m").test(text);
}
