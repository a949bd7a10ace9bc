/**
 * Finds patches that change only constants with which tests compare: `assert delay(10) <= MAX_DELAY` passes if the
 * limit is high enough. If the statement contains the value, it asks for the change, and Millwright accepts the patch.
 * Works on the text. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { addedLines, type ChangedFile, linesOf, removedLines } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import type { OwnTest } from "../texts/own-tests.ts";

const constant =
  /^\s*(?:(?:export|pub(?:\(\w+\))?|public|private|protected|static|final|const|let|var|val)\s+)*(?:[\w<>[\]&']+\s+)?([A-Z][A-Z\d_]{2,}|[A-Z][a-z]\w+)\s*(?::\s*[\w&'<> ]+)?\s*=\s*(-?[\d."'][^=]*?);?\s*(?:(?:#|\/\/).*)?$/;
const asserting = /\bassert|\bexpect\b|\brequire\.|\bif\b|\bok\b|\bequal|\bis\(/i;

export function judgeMovedGoals(
  files: readonly ChangedFile[],
  tests: readonly Pick<OwnTest, "name" | "body">[],
  statement: string,
): Finding[] {
  const moved = readMoved(files.filter(({ isTest }) => !isTest));
  if (moved === undefined) return [];
  for (const { name: test, body } of tests)
    for (const [name, value] of moved) {
      const isNamed = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
      const isAsked = new RegExp(`(?<![\\w.])${literally(value)}(?![\\w.])`).test(statement);
      if (isAsked || !body.split("\n").some((line) => asserting.test(line) && isNamed.test(line))) continue;
      return [
        {
          weight: "objection",
          text: `${test} compares with \`${name}\`, and the patch only changes this constant to ${value}: the test's expectation changes with it.`,
        },
      ];
    }
  return [];
}

/** The constants with their new values; undefined if the patch changes anything else. */
function readMoved(files: readonly ChangedFile[]): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const file of files) {
    const read = (text: string | undefined, numbers: readonly number[]): (RegExpExecArray | null)[] => {
      const lines = linesOf(text).map((line) => line.trimEnd());
      return numbers
        .map((number) => lines[number - 1] ?? "")
        .filter((line) => line.trim() !== "" && !/^\s*(?:#|\/\/|\*|\/\*)/.test(line))
        .map((line) => constant.exec(line));
    };
    const old = new Map(read(file.before, removedLines(file)).map((match) => [match?.[1], match?.[2]]));
    for (const match of read(file.after, addedLines(file))) {
      const [, name = "", value = ""] = match ?? [];
      if (name === "" || !old.has(name) || old.get(name) === value) return undefined;
      found.set(name, value.trim());
    }
    if (old.size !== found.size && [...old.keys()].some((name) => name === undefined || !found.has(name)))
      return undefined;
  }
  return found.size === 0 ? undefined : found;
}
