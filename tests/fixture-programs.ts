/** Programs for tests of parsing and repair: every kind of statement and expression, in each language with a dialect. */
import { readdirSync, readFileSync } from "node:fs";
import type { Language } from "../src/languages/contract.ts";
import { languageOf } from "../src/languages/source-files.ts";

export function languageOfFixture(file: string): Pick<Language, "name" | "grammar"> {
  return languageOf(file) ?? { name: "", grammar: () => "" };
}

const folder = new URL("fixtures/programs/", import.meta.url);

function read(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

export const fixturePrograms: Readonly<Record<string, string>> = {
  ...Object.fromEntries(readdirSync(folder).map((name) => [name, read(name)])),
  "windows.py": read("shelf.py").replaceAll("\n", "\r\n"),
};
