/** Checks whether the tests reject correct variants of the fix. */

import {
  addedLines,
  type ChangedFile,
  type Hunk,
  linesOf,
  readChange,
  withoutHunks,
} from "../../agent/code/change.ts";
import { callableKinds, type Definition } from "../../domain/code-symbols.ts";
import { isTestFile } from "../../languages/source-files.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import type { Finding } from "../contract.ts";
import { isDelivered } from "../delivered.ts";
import { findNewNames, type NewNames, wordOf } from "./new-names.ts";
import { listOtherOrders } from "./partial-fixes.ts";
import { changedLines } from "./patch-lines.ts";
import { decide, failingWith, type Place } from "./place.ts";
import { type Rewrite, rewriteFix } from "./rewrite-fix.ts";

export async function judgeStrictness(place: Place): Promise<Finding[]> {
  const { asked, open, gold } = place;
  const trees = { store: open.workspace.trees, base: open.trees.base, gold };
  const names = await findNewNames(asked.change, asked.split, trees);
  const findings: Finding[] = [
    await judgeOtherFiles(place),
    ...(await judgeOtherErrors(place)),
    ...(await judgeOtherResults(place)),
  ];
  for (const question of questionsOf(names)) {
    const { codeFiles: files, goldPatch } = asked.split;
    const lines = new Set(changedLines(goldPatch, files).added);
    const rewritten = await rewriteFix(trees.store, gold, { files, lines }, question.rewrite);
    const failed = await failingWith(place, rewritten);
    const [first] = failed;
    findings.push({
      check: question.check,
      score: first === undefined ? 1 : question.isBad ? 0 : 0.5,
      isBad: question.isBad && first !== undefined,
      reason: first === undefined ? question.holds : `${question.fails}: ${first}`,
    });
  }
  return findings;
}

interface Question {
  readonly check: string;
  readonly rewrite: Rewrite;
  /** True if a failure makes the task unfair. */
  readonly isBad: boolean;
  readonly holds: string;
  readonly fails: string;
}

function questionsOf({ unstated, helpers, texts }: NewNames): Question[] {
  const questions: Question[] = [
    {
      check: "strict-layout",
      rewrite: { names: [], texts: [], movesLines: true },
      isBad: true,
      holds: "the tests accept the fix in another layout",
      fails: "the tests require the layout of the fix: they read the fix's text, or line numbers",
    },
  ];
  if (helpers.length > 0)
    questions.push({
      check: "other-fixes",
      rewrite: { names: helpers, texts: [], movesLines: false },
      // Something outside of the repository may ask for the name: an interface that it implements.
      isBad: false,
      holds: "the tests accept other names for helpers",
      fails: "the tests reject the fix with other names for helpers",
    });
  const shown = (list: readonly string[]): string => list.slice(0, 4).join(", ");
  if (unstated.length > 0)
    questions.push({
      check: "strict-names",
      rewrite: { names: unstated, texts: [], movesLines: false },
      isBad: true,
      holds: `the tests accept other names for ${shown(unstated)}`,
      fails: `the tests require names that the statement does not mention (${shown(unstated)})`,
    });
  if (texts.length > 0)
    questions.push({
      check: "strict-texts",
      rewrite: { names: [], texts, movesLines: false },
      isBad: true,
      holds: "the tests accept other message texts",
      fails: `the tests require message texts that the statement does not mention (${shown(texts)})`,
    });
  return questions;
}

/** Documents for people. In other folders, such files may be data that a program reads. */
const documents = /^(?:docs?\/.+|[^/]+)\.(?:md|rst|txt)$/i;
/** Files that decide what is built and installed. */
const building = /(?:^|\/)(?:CMakeLists|[\w.-]*requirements[\w.-]*|[\w.-]*constraints[\w.-]*)\.txt$/i;
const manifests =
  /(?:^|\/)(?:pyproject\.toml|setup\.cfg|setup\.py|package\.json|Cargo\.toml|composer\.json|[\w.-]+\.gemspec)$/;
/** Lines of manifests that do not affect behaviour. */
const describing =
  /^\s*(?:["']|\w+\.)?(?:version|description|summary|authors?|maintainers?|keywords|license|homepage|urls?)["']?\s*[:=]|^\s*["'][\w ]+ :: [^"']*["'],?\s*$|^\s*#/i;

/**
 * Undoes the fix's changes that do not affect behaviour: changes of documents, of lines that describe the project, and
 * of its version. A correct fix has to pass without them.
 */
async function judgeOtherFiles(place: Place): Promise<Finding> {
  const { asked, open, gold } = place;
  const { trees } = open.workspace;
  const change = await readChange(trees, { isWhole: isTestFile }, open.trees.tests, gold);
  const known: Known = {
    versions: await readVersions(trees, open.trees.tests),
    statement: asked.change.statement,
  };
  const undone = change.files.flatMap((file): FileChange[] => {
    const content = withoutDescription(file, known);
    return content === undefined ? [] : [{ path: file.path, content }];
  });
  const tree = undone.length === 0 ? gold : await trees.write(gold, undone);
  const [first] = await failingWith(place, tree, { mustBuild: true });
  const told = undone.map(({ path }) =>
    documents.test(path) ? path : `the version or description in ${path}`,
  );
  return decide(
    "strict-files",
    first === undefined ? undefined : `the tests require changes of ${told.join(", ")}: ${first}`,
    "the tests require no change of the project's version or description",
  );
}

interface Known {
  /** The project's versions before the fix, according to its manifests. */
  readonly versions: ReadonlySet<string>;
  readonly statement: string;
}

/**
 * Returns the file without those changes of the fix that have no effect on behaviour. Returns null for a document that
 * the fix adds, and undefined without such changes.
 */
export function withoutDescription(file: ChangedFile, known: Known): string | null | undefined {
  const { path, before, after, isTest } = file;
  if (documents.test(path) && !building.test(path)) return before ?? null;
  // The name `*.gemspec` looks like a test's.
  if ((isTest && !manifests.test(path)) || before === undefined || after === undefined) return undefined;
  const versions = new Set(listVersions(file, known));
  const isDescription = (hunk: Hunk): boolean =>
    manifests.test(path) &&
    changedIn(file, hunk).every(
      (line) => line.trim() === "" || (describing.test(line) && !/version/i.test(line)),
    );
  const hunks = file.hunks.filter((hunk) => versions.has(hunk) || isDescription(hunk));
  return hunks.length === 0 ? undefined : withoutHunks(file, hunks);
}

const versionNumber = /\bv?\d+(?:\.\d+)+(?:[-.]?(?:dev|rc|alpha|beta|pre|post)[\w.]*)?/g;

const histories = /^(?:changelog|changes|history|news|releases?)(?:\.\w+)?$/i;
const mostManifests = 50;

/** Reads the versions in manifests, and the newest version in a changelog. */
async function readVersions(trees: TreeStore, tree: string): Promise<ReadonlySet<string>> {
  const paths = (await trees.list(tree)).map(({ path }) => path);
  const wanted = paths.filter((path) => manifests.test(path) || histories.test(path)).slice(0, mostManifests);
  const found = wanted.map(async (path) => versionIn(path, (await trees.read(tree, path))?.toString("utf8")));
  return new Set((await Promise.all(found)).flatMap((version) => version ?? []));
}

export function versionIn(path: string, text = ""): string | undefined {
  const line = histories.test(path)
    ? /^[ \t]*(?:#+[ \t]*)?\[?(?:version|release)?[ \t]*v?\d+\.\d.*/im.exec(text)
    : /^[ \t]*(?:["']|\w+\.)?version["']?[ \t]*[:=].*/m.exec(text);
  return line?.[0].match(versionNumber)?.[0].replace(/^v/, "");
}

/** Matches files that usually state the version of a project whose manifest computes it. */
const versionFile = /(?:^|\/)(?:_*version_*|_*init_*|_*about_*|_*meta_*)\.\w+$/;

/** Returns the hunks that only change the project's version, if the statement does not ask for the new version. */
export function listVersions(file: ChangedFile, { versions, statement }: Known): readonly Hunk[] {
  const [old, lines] = [linesOf(file.before), linesOf(file.after)];
  return file.hunks.filter(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    const was = old.slice(beforeStart - 1, beforeEnd - 1).join("\n");
    const is = lines.slice(afterStart - 1, afterEnd - 1).join("\n");
    if (!/version/i.test(was) || was.replaceAll(versionNumber, "") !== is.replaceAll(versionNumber, ""))
      return false;
    const isOwn = (number: string): boolean =>
      versions.size === 0
        ? versionFile.test(file.path) && /^\s*(?:__version__|VERSION|version)\s*=/m.test(was)
        : versions.has(number.replace(/^v/, ""));
    const news = is.match(versionNumber) ?? [];
    const changed = (was.match(versionNumber) ?? []).flatMap((number, at) => {
      const next = news[at] ?? "";
      return next === number ? [] : [{ number, next }];
    });
    return (
      changed.length > 0 && changed.every(({ number, next }) => isOwn(number) && !statement.includes(next))
    );
  });
}

function changedIn({ before, after }: ChangedFile, hunk: Hunk): string[] {
  return [
    ...linesOf(before).slice(hunk.beforeStart - 1, hunk.beforeEnd - 1),
    ...linesOf(after).slice(hunk.afterStart - 1, hunk.afterEnd - 1),
  ];
}

/** Judges whether the tests also accept another error of the file in place of one that the fix raises, if nothing determines which one is right. */
async function judgeOtherErrors(place: Place): Promise<Finding[]> {
  const { asked, open, gold } = place;
  const { trees } = open.workspace;
  const { statement } = asked.change;
  const tests = changedLines(asked.split.testPatch, asked.split.testFiles).added.join("\n");
  const change = await readChange(trees, { isWhole: isTestFile }, open.trees.tests, gold);
  const found: Finding[] = [];
  for (const file of change.files.filter(({ path, isTest }) => !isTest && isDelivered(path))) {
    const { path, text, name } = (await replaceError(file, { statement, tests })) ?? {};
    if (path === undefined || text === undefined) continue;
    const [first] = await failingWith(place, await trees.write(gold, [{ path, content: text }]), {
      mustBuild: true,
    });
    const against =
      first === undefined
        ? undefined
        : `the tests require the error ${name}, but neither the statement nor the function mentions it: ${first}`;
    found.push(decide("strict-errors", against, `the tests also accept errors other than ${name}`));
    if (against !== undefined) break;
  }
  return found;
}

interface Telling {
  readonly statement: string;
  /** The lines that the test patch adds. */
  readonly tests: string;
}

interface OtherError {
  readonly path: string;
  /** The text of the whole file. */
  readonly text: string;
  readonly name: string;
}

const raised = /\b(?:raise|throw(?:\s+new)?|fail)\s*\(?\s*(?:\w+(?:::|\.))*([A-Z]\w+)|\b(Err[A-Z]\w+)\b/g;

/**
 * Returns the file with another error of the file in place of one that the fix raises. Undefined unless the fix raises
 * a known error of this file that only the tests mention.
 */
export async function replaceError(
  file: ChangedFile,
  { statement, tests }: Telling,
): Promise<OtherError | undefined> {
  const { path, before = "", after = "" } = file;
  const lines = after.split("\n");
  const { definitions = [] } = (await extractSymbols(path, before)) ?? {};
  const callables = new Set<string>(callableKinds);
  const errors = [...before.matchAll(raised)].map(([, one, other]) => one ?? other ?? "");
  const defined = new Set(errors.filter((name) => isDefined(before, name)));
  for (const line of addedLines(file)) {
    for (const match of (lines[line - 1] ?? "").matchAll(raised)) {
      const name = match[1] ?? match[2] ?? "";
      if (!defined.has(name) || !wordOf(name).test(tests) || isTold(statement, name)) continue;
      const around = definitionAround(
        (await extractSymbols(path, after))?.definitions ?? [],
        line,
        callables,
      );
      const own = definitions.find(({ kind, name: each }) => callables.has(kind) && each === around);
      if (own === undefined) continue;
      const body = before
        .split("\n")
        .slice(own.startLine - 1, own.endLine)
        .join("\n");
      const made = constructorOf(before, name);
      const others = [...defined].filter((each) => each !== name && constructorOf(before, each) === made);
      const near = others.find((each) => wordOf(each).test(body)) ?? others[0];
      if (near === undefined || wordOf(name).test(body)) continue;
      const added = new Set(addedLines(file));
      const text = lines.map((each, at) => (added.has(at + 1) ? each.replaceAll(wordOf(name), near) : each));
      return { path, text: text.join("\n"), name };
    }
  }
  return undefined;
}

function isDefined(text: string, name: string): boolean {
  return new RegExp(String.raw`\b(?:class|struct|type)\s+${name}\b|\b${name}\s*(?::?=)`).test(text);
}

/** Errors of the languages. Their constructors take the same arguments. */
const plainError =
  /^(?:\w+::)?(?:(?:Base)?Exception|Error|\w*(?:Type|Value|Key|Lookup|Index|Runtime|Standard|Argument|Range)Error)$/;

/**
 * Returns the head of the error's constructor, of its class or of a parent. For a foreign parent, returns the parent's
 * name.
 */
function constructorOf(text: string, name: string, depth = 0): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => new RegExp(String.raw`\bclass\s+${name}\b`).test(line));
  const head = lines[at];
  if (head === undefined) return plainError.test(name) || depth === 0 ? "" : name;
  const margin = head.search(/\S/);
  const end = lines.findIndex((line, index) => index > at && /\S/.test(line) && line.search(/\S/) <= margin);
  const body = lines.slice(at + 1, end === -1 ? undefined : end).join("\n");
  const own = new RegExp(
    String.raw`\b(?:def\s+(?:__init__|__new__|initialize)|(?:function\s+)?__construct|constructor|${name})\s*(?:\([^)]*\)|[^\n]*)`,
  ).exec(body)?.[0];
  if (own !== undefined) return own.replace(name, "").replaceAll(/\s+/g, " ");
  const parent = /\bclass\s+\w+\s*(?:\(|<|:|\bextends\b)\s*(?:\w+(?:::|\.))*(\w+)/.exec(head)?.[1];
  return parent === undefined || depth > 4 ? "" : constructorOf(text, parent, depth + 1);
}

function isTold(statement: string, name: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[ _]/);
  const telling = words.filter((word) => !/^(?:err|error|exception)$/.test(word));
  const plain = statement.toLowerCase();
  return telling.every((word) => plain.includes(word));
}

function definitionAround(
  definitions: readonly Definition[],
  line: number,
  kinds: ReadonlySet<string>,
): string | undefined {
  return definitions
    .filter(({ kind, startLine, endLine }) => kinds.has(kind) && startLine <= line && line <= endLine)
    .toSorted((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0]?.name;
}

/** Matches a statement that promises only a result's elements, and shows no list of them. */
const anyOrder =
  /\b(?:return|yield|give|produce)(?:s|ed|ing)?\s+(?:back\s+)?(?:an?\s+|the\s+)?(?:\w+\s+)?(?:iterable|iterator|generator|collection|set) of\b/i;
const ordered = /\b(?:lists?|arrays?|tuples?|order(?:ed|ing)?|sort(?:ed|s)?|first|last|oldest|newest)\b/i;
const shownList = /(?<![\w)\]])\[[^\][\n]*[\w'"][^\][\n]*\](?!\()/;

export function promisesNoOrder(statement: string): boolean {
  return anyOrder.test(statement) && !ordered.test(statement) && !shownList.test(statement);
}

/** Judges a variant of the fix that returns the elements of a list in another order and type, if the statement promises neither. */
async function judgeOtherResults(place: Place): Promise<Finding[]> {
  const { asked, open, gold } = place;
  if (!promisesNoOrder(asked.change.statement)) return [];
  const { trees } = open.workspace;
  const change = await readChange(trees, { isWhole: isTestFile }, open.trees.tests, gold);
  const variants = await listOtherOrders(change.files);
  if (variants.length === 0) return [];
  const byFile = Map.groupBy(variants, ({ file }) => file);
  const changes = [...byFile].map(([path, own]) => ({
    path,
    content: own
      .toSorted((a, b) => b.start - a.start)
      .reduce(
        (text, { start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
        own[0]?.base ?? "",
      ),
  }));
  const [first] = await failingWith(place, await trees.write(gold, changes), { mustBuild: true });
  const against =
    first === undefined
      ? undefined
      : `the tests require a type or order of the result that the statement does not state: ${first}`;
  return [decide("strict-results", against, "the tests accept another type and order of the result")];
}
