/**
 * Finds features with tests that replace the patch's code with a stand-in and check only this stand-in. No test then
 * runs the requested code. Finds nothing if one test compares a result without a stand-in. Works on the tests' text.
 * Pure.
 */
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import { listAskedNames } from "../statement/stated-names.ts";
import type { OwnTest } from "../texts/own-tests.ts";

const name = String.raw`["'\`]([\w.$:-]+)["'\`]`;
/**
 * A stand-in call up to the replaced name: `mock.patch.object(shipping, "_sum"`, `jest.spyOn(shipping, "sum"`,
 * `vi.mock("./sum.js"`.
 */
const standIns = [
  new RegExp(
    String.raw`\b(?:patch|mocker\.patch)(?:\.(?:object|multiple))?\(\s*(?:[\w.$]+\s*,\s*)?${name}`,
    "g",
  ),
  new RegExp(String.raw`\bmonkeypatch\.setattr\(\s*(?:[\w.$]+\s*,\s*)?${name}`, "g"),
  new RegExp(
    String.raw`\b(?:spyOn|mock\.method|mock\.getter|sinon\.(?:stub|replace|fake)|td\.replace|stub)\(\s*[\w.$]+\s*,\s*${name}`,
    "g",
  ),
  new RegExp(String.raw`\b(?:vi|jest)\.(?:do)?[mM]ock\(\s*${name}`, "g"),
  /^\s*(?:[\w$]+\.)+([\w$]+)\s*=\s*(?:lambda\b|\(?[\w$, ]*\)?\s*=>|(?:async\s+)?function\b|(?:Magic|Async)?Mock\(|mock\.|jest\.fn|vi\.fn)/gm,
];
const refusing =
  /\braises\b|\bassertRaises|\btoThrow|\brejects\b|\bthrows\b|\bassertThrows|should_panic|is_err\(/;
const comparing = /\bassert|\bexpect\s*\(|\bequal|\bis\(|\bok\(|\bt\.(?:Error|Fatal)/i;

/**
 * Finds a requested name whose tests all replace a function that the patch adds. Also returns the function's name.
 * Returns undefined if a test checks a result without a stand-in.
 */
export function findStandIn(
  tests: readonly OwnTest[],
  files: readonly ChangedFile[],
  statement: string,
): { readonly test: OwnTest; readonly name: string; readonly asked: string } | undefined {
  const brought = new Set(files.filter(({ isTest }) => !isTest).flatMap(listFunctions));
  for (const asked of listAskedNames(statement)) {
    const asking = tests.filter(
      ({ body, around }) => holdsName(`${around}\n${body}`, asked) && compares(body, asked),
    );
    const found = asking.map((test) => listReplaced(test).find((each) => brought.has(each)));
    const [first] = found;
    const [test] = asking;
    if (first !== undefined && test !== undefined && found.every((each) => each !== undefined))
      return { test, name: first, asked };
  }
  return undefined;
}

/**
 * Finds the first function of `names` that a stand-in replaces in each test that mentions it. No test has then run the
 * function. Undefined if there is no such function.
 */
export function findReplaced(
  tests: readonly OwnTest[],
  names: readonly string[],
): { readonly test: OwnTest; readonly name: string } | undefined {
  for (const name of names) {
    const asking = tests.filter(({ body, around }) => holdsName(`${around}\n${body}`, name));
    const [test] = asking;
    if (test !== undefined && asking.every((each) => listReplaced(each).includes(name)))
      return { test, name };
  }
  return undefined;
}

/**
 * Finds a requested name that a test redefines, so that the test checks its own function; undefined if there is none.
 */
export function findNamesake(
  tests: readonly OwnTest[],
  statement: string,
): { readonly test: OwnTest; readonly asked: string } | undefined {
  for (const asked of listAskedNames(statement)) {
    const name = escapeName(asked);
    const own = new RegExp(
      `^\\s*(?:(?:async\\s+)?(?:def|function|func|fn)\\s+${name}\\s*[(<]|(?:const|let|var)\\s+${name}\\s*=\\s*(?:async\\s*)?(?:function\\b|\\([^()]*\\)\\s*=>)(?!.*\\.${name}\\())`,
      "m",
    );
    const test = tests.find(({ body, around }) => own.test(`${around}\n${body}`));
    if (test !== undefined) return { test, asked };
  }
  return undefined;
}

/**
 * Finds a requested function whose results the tests compare only with each other. Such tests state no expected value.
 * Finds nothing if one assertion expects a true result and another a false result.
 */
export function findSelfCompared(
  tests: readonly OwnTest[],
  statement: string,
): { readonly test: OwnTest; readonly asked: string } | undefined {
  for (const asked of listAskedNames(statement)) {
    const lines = tests.flatMap((test) => listComparisons(test, asked).map((line) => ({ test, ...line })));
    const [first] = lines;
    const truths = new Set(lines.flatMap(({ truth }) => truth ?? []));
    if (first === undefined || truths.size === 2 || lines.some(({ rest }) => rest !== "")) continue;
    return { test: first.test, asked };
  }
  return undefined;
}

interface OwnComparison {
  /** The assertion without the function's results and without the words of assertions. */
  readonly rest: string;
  /** The expected value (true or false) of the assertion's only result; undefined if it has several results. */
  readonly truth: boolean | undefined;
}

/** Lists the assertions that mention the name, directly or through a variable with its result. */
function listComparisons({ body }: OwnTest, asked: string): OwnComparison[] {
  const call = new RegExp(
    `(?:[\\w$]+(?:\\.|::))*(?<![\\w$])${escapeName(asked)}\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)`,
    "g",
  );
  const lines = body.split("\n");
  const holders = lines.flatMap((line) => {
    const [, name, value = ""] =
      /^\s*(?:(?:const|let|var)\s+(?:mut\s+)?)?([\p{L}_$][\p{L}\p{N}_$]*)\s*:?=(?!=)(.*)$/u.exec(line) ?? [];
    return name !== undefined && value.replaceAll(call, "").replaceAll(/[\s;]/g, "") === "" ? [name] : [];
  });
  const held = holders.map((name) => new RegExp(`(?<![\\w$.])${escapeName(name)}(?![\\w$])`, "g"));
  return lines.flatMap((line) => {
    if (!comparing.test(line) || refusing.test(line)) return [];
    const results = [call, ...held];
    const rest = results.reduce((now, each) => now.replaceAll(each, " "), line);
    if (rest === line) return [];
    const count = results.reduce((sum, each) => sum + [...line.matchAll(each)].length, 0);
    return {
      rest: rest.replaceAll(words, "").replaceAll(/[^\p{L}\p{N}"'`]/gu, ""),
      truth: count === 1 ? !negating.test(rest) : undefined,
    };
  });
}

/** Words that belong to an assertion. */
const words =
  /\b(?:assert\w*!?|self|expect|to(?:Be|Equal|StrictEqual|BeGreaterThan|BeLessThan)|t|is|not|and|or|equal|strictEqual|deepEqual|deepStrictEqual|ok|if)\b/g;

/** Words that negate an assertion of one result. */
const negating = /\bnot\b|![^=]|\bassert_?False|\bassert_?not|\bnotOk\b|\brefute|\btoBeFalsy/i;

function escapeName(name: string): string {
  return name.replaceAll("$", String.raw`\$`);
}

/** Lists the patch's new functions and modules. Other names may be settings. */
function listFunctions(file: ChangedFile): string[] {
  const lines = linesOf(file.after);
  const names = addedLines(file).flatMap((number) =>
    [...(lines[number - 1] ?? "").matchAll(defining)].map(([, one, other]) => one ?? other ?? ""),
  );
  const known = linesOf(file.before).join("\n");
  const module = file.path.slice(file.path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return [...names.filter((each) => !holdsName(known, each)), ...(file.before === undefined ? [module] : [])];
}

const defining =
  /\b(?:def|function\*?|fn)\s+([\p{L}_$][\p{L}\p{N}_$]*)|(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*(?:lambda\b|(?:async\s*)?(?:function\b|\([^)]*\)\s*=>))/gu;

function listReplaced({ body, around }: OwnTest): string[] {
  const text = `${around}\n${body}`;
  return standIns.flatMap((form) =>
    [...text.matchAll(form)].map(
      ([, found = ""]) =>
        found
          .replace(/\.[cm]?[jt]sx?$/, "")
          .split(/[./:]/)
          .at(-1) ?? "",
    ),
  );
}

/** True if the test mentions the function, and has an assertion that does not expect an error. */
function compares(body: string, asked: string): boolean {
  const lines = body.split("\n");
  const asserts = lines.some((line) => comparing.test(line) && !refusing.test(line));
  return asserts && holdsName(body, asked);
}

function holdsName(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll("$", String.raw`\$`)}(?![\\w$])`).test(text);
}
