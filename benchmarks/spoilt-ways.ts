/** Ways to spoil a good task, by script: each changes only the data of the task. */
import { basename, dirname, relative } from "node:path";
import type { Published } from "../src/mine/publish/published.ts";
import { changedLines } from "../src/mine/review/patch-lines.ts";
import type { FileChange, TreeStore } from "../src/workspace/contract.ts";
import { type Snippets, snippetsOf } from "./spoilt-snippets.ts";

export type Mined = Published["candidates"][number];

export interface Spoilt extends Mined {
  /** Recompute the lists from runs, because the tests are others. */
  readonly recompute?: boolean;
}

interface SpoilPlace {
  readonly store: TreeStore;
  /** The base, and the base with tests and fix. */
  readonly base: string;
  readonly gold: string;
  /** From 0 to 1, seeded. */
  readonly draw: () => number;
}

/** Undefined if the task cannot be spoilt in this way. */
type Spoil = (task: Mined, place: SpoilPlace) => Promise<Spoilt | undefined>;

export const ways: Readonly<Record<string, Spoil>> = {
  /** The tests are replaced by one that any change of a line of the fix passes. */
  "weak test": async (task, place) => {
    const [line] = removedLines(task).toSorted((a, b) => b.length - a.length);
    return line === undefined
      ? undefined
      : withReadingTest(task, place, { line, wants: "absent", alone: true });
  },
  /** A further test requires a line of the fix as it is written. */
  "strict test": async (task, place) => {
    const [line] = [...changedLines(task.split.goldPatch, task.split.codeFiles).added].sort(
      (a, b) => b.length - a.length,
    );
    return line === undefined
      ? undefined
      : withReadingTest(task, place, { line, wants: "present", alone: false });
  },
  "leak in the text": async (task) => {
    const { added } = changedLines(task.split.goldPatch, task.split.codeFiles);
    const told = added.slice(0, Math.ceil(added.length * 0.6)).map((line) => `    ${line}`);
    const statement = `${task.change.statement}\n\nIt works for me with:\n\n${told.join("\n")}\n`;
    return { ...task, change: { ...task.change, statement } };
  },
  /** The setup leaves a later version of a changed file behind. */
  "leak in the environment": async (task, { store, gold }) => {
    const [path = ""] = task.split.codeFiles;
    const content = await store.read(gold, path);
    if (content === undefined) return undefined;
    const later = `later/${basename(path)}`;
    const leak = `mkdir -p later && printf %s ${content.toString("base64")} | base64 -d > ${later}`;
    return withSetup(task, leak);
  },
  flaky: async (task, place) => {
    const snippets = snippetsOf(task.change.language);
    const path = task.split.testFiles.find((each) => snippets?.isTestFile(each) === true);
    const text = path === undefined ? undefined : await readText(place, place.gold, path);
    const names = task.validation.lists.failToPass;
    const changed = text === undefined ? undefined : snippets?.makeFlaky(text, names);
    if (path === undefined || changed === undefined) return undefined;
    const spoilt = await withTests(task, place, { path, content: changed }, false);
    return spoilt === undefined ? undefined : { ...spoilt, recompute: false };
  },
  /** The tests run in a copy of the base that the setup made. */
  "installed copy tested": async (task) => {
    const copy =
      "mkdir -p .installed && tar cf - --exclude=.installed --exclude=node_modules --exclude=.git . | tar xf - -C .installed";
    const spoilt = withSetup(task, copy);
    const testCommand = `cd .installed && ${task.validation.testCommand}`;
    return { ...spoilt, validation: { ...spoilt.validation, testCommand } };
  },
  duplicate: async (task) => {
    const sentences = task.change.statement.split(/(?<=[.\n])\s+/);
    const change = {
      ...task.change,
      id: `${task.change.id}-again`,
      statement: sentences.reverse().join(" "),
    };
    return { ...task, change };
  },
  /** A test that passes without the fix is said to fail. */
  "wrong F2P": async (task, { draw }) => {
    const { failToPass, passToPass, flaky } = task.validation.lists;
    const wrong = passToPass[Math.floor(draw() * passToPass.length)];
    if (wrong === undefined) return undefined;
    const lists = {
      failToPass: draw() < 0.5 ? [wrong] : [...failToPass, wrong],
      passToPass: passToPass.filter((id) => id !== wrong),
      flaky,
    };
    return { ...task, validation: { ...task.validation, lists } };
  },
};

function removedLines({ split: { goldPatch, codeFiles } }: Mined): string[] {
  const { added, removed } = changedLines(goldPatch, codeFiles);
  return removed.filter((line) => line.length > 7 && !added.includes(line));
}

function withSetup(task: Mined, more: string): Spoilt {
  const { setup } = task.validation;
  return {
    ...task,
    validation: { ...task.validation, setup: setup === undefined ? more : `${setup}; ${more}` },
  };
}

async function readText({ store }: SpoilPlace, tree: string, path: string): Promise<string | undefined> {
  return (await store.read(tree, path))?.toString("utf8");
}

interface Reading {
  readonly line: string;
  readonly wants: "present" | "absent";
  /** Without the task's own tests. */
  readonly alone: boolean;
}

async function withReadingTest(
  task: Mined,
  place: SpoilPlace,
  { line, wants, alone }: Reading,
): Promise<Spoilt | undefined> {
  const snippets: Snippets | undefined = snippetsOf(task.change.language);
  const near = task.split.testFiles.find((path) => snippets?.isTestFile(path) === true);
  if (snippets === undefined || near === undefined) return undefined;
  const { split } = task;
  let source: string | undefined;
  for (const path of split.codeFiles) {
    const [before, after] = [
      await readText(place, place.base, path),
      await readText(place, place.gold, path),
    ];
    const [was, is] = [before?.includes(line) === true, after?.includes(line) === true];
    if (wants === "present" ? !was && is : was && after !== undefined && !is) source ??= path;
  }
  const text = await readText(place, place.gold, near);
  if (source === undefined || text === undefined) return undefined;
  const from = relative(dirname(near), source);
  const made = snippets.readSource({ near: { path: near, text }, from, source, line, wants });
  return withTests(task, place, { path: made.path, content: made.text }, alone);
}

/** The task with one more test file. `alone`: its own ones are left out. */
async function withTests(
  task: Mined,
  { store, base, gold }: SpoilPlace,
  change: FileChange,
  alone: boolean,
): Promise<Spoilt | undefined> {
  const { split, validation } = task;
  // Half of such a file belongs to the fix.
  if (!alone && split.mixedFiles.length > 0) return undefined;
  const kept = alone ? [] : split.testFiles;
  const own = kept.map(async (path) => ({ path, content: (await store.read(gold, path)) ?? null }));
  const tree = await store.write(base, [...(await Promise.all(own)), change]);
  const testFiles = [...new Set([...kept, change.path])];
  return {
    ...task,
    recompute: true,
    split: { ...split, testPatch: await store.diff(base, tree), testFiles },
    validation: { ...validation, runFiles: validation.runFiles.length === 0 ? [] : testFiles },
  };
}
