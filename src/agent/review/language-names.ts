/**
 * A name of the language that a patch defines anew, where tests that were there use it and see the new one: `var nil = …` in the package of a
 * Go test, `def abs` in a module that a test imports with a star, a class `Math` in the package of a Java test. The tests then ask something
 * else than their text says.
 */
import { basename, dirname } from "node:path";
import { isTestFile } from "../../languages/source-files.ts";
import { type ChangedFile, linesOf } from "../code/change.ts";
import type { BaseFiles } from "./base-files.ts";
import type { Finding } from "./contract.ts";

interface Names {
  readonly ending: RegExp;
  /** Names that a text defines for its whole file, package or module. */
  readonly defines: RegExp;
  readonly ofLanguage: ReadonlySet<string>;
  /** True if the test, with this text, sees the file's definitions. */
  readonly isSeen: (test: Test, file: string) => boolean;
  /** Further names that the test has before it sees those of the file. */
  readonly ofTest?: (text: string) => readonly string[];
}

interface Test {
  readonly path: string;
  readonly text: string;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const moduleOf = (path: string): string =>
  /^__init__\.py$/.test(basename(path)) ? basename(dirname(path)) : basename(path).replace(/\.\w+$/, "");
const packageOf = (text: string): string | undefined => /^\s*package\s+([\w.]+)/m.exec(text)?.[1];

const languages: readonly Names[] = [
  {
    ending: /\.go$/,
    defines: /^(?:func|var|const|type)\s+([A-Za-z_]\w*)/,
    ofLanguage: setOf(
      "nil true false iota error string bool int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte rune float32 float64 any comparable append cap clear close complex copy delete imag len make max min new panic print println real recover",
    ),
    isSeen: ({ path, text }, file) =>
      dirname(path) === dirname(file) && !/_test$/.test(packageOf(text) ?? ""),
  },
  {
    ending: /\.py$/,
    defines:
      /^(?:(?:async\s+)?def\s+|class\s+|from\s+\S+\s+import\s+(?:\S+\s+as\s+)?|import\s+(?:\S+\s+as\s+)?)?([A-Za-z]\w*)(?=\s*(?:[(:=]|$))/,
    ofLanguage: setOf(
      "abs all any ascii bin bool bytes bytearray callable chr complex dict dir divmod enumerate filter float format frozenset getattr hasattr hash hex id int isinstance issubclass iter len list map max min next object oct open ord pow print range repr reversed round set slice sorted str sum tuple type vars zip Exception ValueError TypeError KeyError IndexError AttributeError RuntimeError AssertionError",
    ),
    isSeen: ({ text }, file) =>
      new RegExp(`^\\s*from\\s+\\S*\\b${moduleOf(file)}\\s+import\\s+\\*`, "m").test(text),
    ofTest: (text) =>
      [
        ...text.matchAll(
          /^(?:import\s+(?:\S+\s+as\s+)?|from\s+\S+\s+import\s+(?:\S+\s+as\s+)?|def\s+)(\w+)/gm,
        ),
      ].map(([, name = ""]) => name),
  },
  {
    ending: /\.java$/,
    defines:
      /^(?:(?:public|final|abstract|sealed|non-sealed|strictfp)\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)/,
    ofLanguage: setOf(
      "Object String Integer Long Short Byte Character Boolean Float Double Number Math StrictMath System Thread Runtime Iterable Comparable CharSequence StringBuilder Throwable Exception Error RuntimeException AssertionError IllegalArgumentException IllegalStateException NullPointerException Override Test Assert Assertions BeforeEach AfterEach BeforeAll AfterAll Before After ParameterizedTest List Map Set Arrays Objects Optional",
    ),
    isSeen: ({ text }, file) =>
      packageOf(text) !== undefined &&
      dirname(file)
        .replaceAll("/", ".")
        .endsWith(packageOf(text) ?? ""),
  },
  {
    ending: /\.rs$/,
    defines: /^pub(?:\([^)]*\))?\s+(?:const\s+)?(?:fn|struct|enum|type|trait|const|static|mod)\s+(\w+)/,
    ofLanguage: setOf("Some None Ok Err Option Vec String Box drop ToString Into From Iterator Clone"),
    isSeen: ({ text }) => /^\s*use\s+[\w:]+::\*\s*;/m.test(text),
  },
];

/** Tests that are searched. */
const mostSearched = 1_000;

export async function judgeLanguageNames(file: ChangedFile, base: BaseFiles): Promise<Finding[]> {
  const names = languages.find(({ ending }) => ending.test(file.path));
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
          text: `${file.path} redefines \`${found.name}\`, so ${path} no longer tests what its text says.`,
        },
      ];
  }
  return [];
}

interface Definition {
  readonly name: string;
  readonly line: string;
}

function definedIn(text: string | undefined, { defines }: Names): Definition[] {
  return linesOf(text).flatMap((line) => {
    const [, name] = defines.exec(line) ?? [];
    return name === undefined ? [] : [{ name, line }];
  });
}

/** By itself, and not as a part of something. */
function uses(text: string, name: string): boolean {
  return text
    .split("\n")
    .some(
      (line) =>
        !/^\s*(?:import|from|use|package|#|\/\/)/.test(line) &&
        new RegExp(`(?<![\\w.:"'])${name}\\b`).test(line),
    );
}

/** Java: a class that is imported by its whole name is the one that is meant. */
function importsByName(text: string, name: string): boolean {
  return new RegExp(`^\\s*import\\s+(?:static\\s+)?[\\w.]+\\.${name}\\s*;`, "m").test(text);
}
