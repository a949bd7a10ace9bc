/** Judges what a patch changes in files that no check reads. Pure. */
import { basename, dirname } from "node:path";
import { nameFirst } from "../../base/count.ts";
import { literally } from "../../base/literal-pattern.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, type TestKey, type TestStatus } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import { addedLines, type ChangedFile, linesOf } from "../code/change.ts";

export interface UnreadRun {
  /** The files that no check reads. */
  readonly paths: readonly string[];
  /** The deciding tests, and others that pass with the changes. */
  readonly tests: readonly TestKey[];
  /** The tests' results without the changes in these files. */
  readonly statuses: readonly TestStatus[];
  /** The reason why the test report is unreliable. */
  readonly invalid?: string | undefined;
  /** The milliseconds after which a time limit ended the run; absent if none did. */
  readonly cutMs?: number | undefined;
}

export interface JudgedUnread {
  /** The objections, as sentences. */
  readonly objections: readonly string[];
  /** Files that no check read, and whose changes the tests do not need. */
  readonly paths: readonly string[];
}

const mostNamed = 3;

/** Names of modules that programs load by the name of their folder. */
const ofFolder = /^(?:index|__init__|init|main|mod)$/;

/**
 * Objects if the patch adds code that names an `unread` file, which no check reads. Such code may load the file only
 * outside the tests, so the tests also pass without the file's change. If no added code does so, returns the paths of
 * the `unread` files.
 */
export function judgeNames(unread: readonly ChangedFile[], read: readonly ChangedFile[]): JudgedUnread {
  const code = read.filter(({ path, isTest }) => !isTest && languageOf(path) !== undefined);
  for (const { path } of unread) {
    const [stem = ""] = path.split(/\.\w+$/);
    const module = ofFolder.test(basename(stem)) ? dirname(stem) : stem;
    const hasName = wordOf(basename(module));
    const hasFolder = wordOf(basename(dirname(module)));
    const user = code.find((file) => {
      const lines = linesOf(file.after);
      // A neighbour needs no folder.
      const isBeside = dirname(file.path) === dirname(module);
      return addedLines(file)
        .map((number) => lines[number - 1] ?? "")
        .some((line) => hasName(line) && (isBeside || hasFolder(line)));
    });
    if (user !== undefined)
      return {
        objections: [
          `No check reads the changes in ${path}, and the patch adds code that names it (${user.path}).`,
        ],
        paths: [],
      };
  }
  return { objections: [], paths: unread.map((file) => file.path) };
}

/**
 * Objects if a test does not pass without these changes, because unchecked code then decides the verdict. Also objects
 * if the run is unreliable or had no time.
 */
export function judgeUnread({ paths, tests, statuses, invalid, cutMs }: UnreadRun): JudgedUnread {
  const names = nameFirst(paths, mostNamed);
  const refuse = (why: string): JudgedUnread => ({
    objections: [`No check reads the changes in ${names}, and ${why}.`],
    paths: [],
  });
  if (invalid !== undefined) return refuse(`the run without them cannot be trusted: ${invalid}`);
  const failed = tests.filter((_, at) => statuses[at] !== "passed");
  const isUnrun = statuses.every((status) => status === "passed" || status === "not-run");
  if (failed.length > 0 && cutMs !== undefined && isUnrun)
    return refuse("there was no time to run the tests without them");
  if (failed.length > 0)
    return refuse(
      `without them, these tests do not pass: ${nameFirst(failed.map(formatTestKey), mostNamed)}`,
    );
  return { objections: [], paths };
}

/** Adds the judgement of unread files to the predicate on objections. */
export function withUnread(given: Predicate, { objections, paths }: JudgedUnread): Predicate {
  if (!given.holds || (objections.length === 0 && paths.length === 0)) return given;
  if (objections.length > 0) return { ...given, holds: false, evidence: objections.join(" ") };
  const told = `not judged: ${nameFirst(paths, mostNamed)} (too large for the checks; the tests pass without this change)`;
  return { ...given, evidence: `${given.evidence}; ${told}` };
}

function wordOf(name: string): (line: string) => boolean {
  const pattern = new RegExp(`(?<![\\w-])${literally(name)}(?![\\w-])`);
  return (line) => pattern.test(line);
}
