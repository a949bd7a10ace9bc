/**
 * Replays the reproduction of an attempt. First repeats the recorded edits and commands in a fresh checkout of the
 * task's environment. Then runs the reproduction on the base and with the known fix. Measures its validity, as the
 * first step of Rust-SWE-bench's judgement (section 4.2.2); people then judge the output.
 */
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { layReproductionProject, runScript } from "../agent/code/reproduction-project.ts";
import type { ShellDesk } from "../agent/code/shell-desk.ts";
import { lookUp } from "../agent/code/tree-files.ts";
import { countOf } from "../base/count.ts";
import { hashData, hashText } from "../base/hash.ts";
import { succeed } from "../base/result.ts";
import type { Task } from "../domain/task.ts";
import { findStatus, formatTestKey, isFailing } from "../domain/test-outcome.ts";
import { applyEdits } from "../edit/apply-edits.ts";
import type { EditableFiles } from "../edit/contract.ts";
import { parseEdits } from "../edit/parse-edits.ts";
import { isTestFile } from "../languages/source-files.ts";
import type { Checkout } from "../workspace/contract.ts";
import { viewProject } from "../workspace/project-view.ts";
import { runShell } from "../workspace/run-shell.ts";
import type { GradedTask } from "./graded-task.ts";
import type { Job } from "./job.ts";
import { type GradingOptions, type OpenTask, openTask, withCheckout } from "./open-task.ts";
import type { ResultKind } from "./result-store.ts";
import { readTextFile } from "./rows.ts";
import { identifyTask } from "./rules.ts";
import type { DatasetTask } from "./task.ts";
import { identifyImage } from "./task-environment.ts";
import type { TimedRun } from "./task-tests.ts";
import { hashRecord } from "./work/record-hash.ts";
import { listActs, type RecordedAct } from "./work/recorded-acts.ts";
import { type Replayed, replayedSchema, validities } from "./work/replayed.ts";
import { runsOneOf, showsFiles } from "./work/reproduction-command.ts";
import { causeOf } from "./work/reproductions.ts";
import { openRunRecord } from "./work/run-record.ts";
import { collectLines, type ShownFiles, withoutFiles } from "./work/shown-files.ts";
import { steadyOutput } from "./work/steady-output.ts";

const replayedKind: ResultKind<Replayed> = {
  schema: "millwright.replayed-reproduction/1",
  type: replayedSchema,
};

/** An attempt's run: its name and its folder. */
export interface ReplayedRun {
  readonly run: string;
  readonly directory: string;
  /** True if the batch says that the attempt wrote a reproduction. */
  readonly wrote: boolean;
}

export interface ReplayOptions extends GradingOptions {
  /** Time limit for all commands and test runs of one replay, in milliseconds. */
  readonly replayMs: number;
}

export function replayJob(
  task: GradedTask,
  run: ReplayedRun,
  options: ReplayOptions,
  conditions: unknown,
): Job<Replayed> {
  const hash = hashRecord(run.directory);
  const record = hash === undefined ? {} : { record: hash };
  const identity = { run: run.run, wrote: run.wrote, ...record };
  const asked = identifyTask(task, options.rules);
  return {
    get key() {
      const image = identifyImage(asked.environment, options);
      return hashData(["replay-reproduction", asked, conditions, identity, ...image]);
    },
    kind: replayedKind,
    execute: async () => ({ ...(await replay(task, run, options)), ...record }),
    isFinal: ({ validity }) => validity !== "not replayed",
    onError: (reason) => ({ run: run.run, ...record, validity: "not replayed", reason, outputs: [] }),
  };
}

/**
 * Replays an attempt's reproduction. Throws MillwrightError if the infrastructure fails, and AbortError if interrupted.
 */
async function replay(
  task: GradedTask,
  { run, directory, wrote }: ReplayedRun,
  options: ReplayOptions,
): Promise<Replayed> {
  const record = await openRunRecord(directory);
  if (record === undefined)
    return { run, validity: "not replayed", reason: "the run has no readable record", outputs: [] };
  const arms = listActs(directory, record.events);
  const tests = join(directory, "tests.diff");
  const testsDiff = existsSync(tests) ? readTextFile(tests) : undefined;
  if (testsDiff === undefined && !arms.flat().some(mayReproduce))
    return wrote
      ? {
          run,
          validity: "not replayed",
          reason: "the record has no command or edit of the reproduction",
          outputs: [],
        }
      : { run, validity: "none", reason: "the attempt wrote no reproduction", outputs: [] };
  const limit = new AbortController();
  const signal = AbortSignal.any([options.signal, limit.signal]);
  const open = await openTask(task, { ...options, signal });
  const timer = setTimeout(() => limit.abort(), options.replayMs);
  try {
    const found = await replayArms(task, open, arms, testsDiff);
    if (found !== undefined) return { run, ...found };
    return {
      run,
      validity: "none",
      reason: "no command of the attempt runs a file that the attempt wrote, and no test is new",
      outputs: [],
    };
  } catch (error) {
    if (!limit.signal.aborted || options.signal.aborted) throw error;
    const reason = `the replay did not end within ${options.replayMs / 1000} s`;
    return { run, validity: "not replayed", reason, outputs: [] };
  } finally {
    clearTimeout(timer);
    await open.close();
  }
}

/** Replays each arm of a run, such as `best-of`, and returns the reproduction with the best validity. */
async function replayArms(
  task: GradedTask,
  open: OpenTask,
  arms: readonly (readonly RecordedAct[])[],
  testsDiff: string | undefined,
): Promise<Found | undefined> {
  const areSeveral = arms.length > 1;
  const replays = (areSeveral ? arms : [arms.flat()]).map((acts) => async () => {
    const hasCommand = acts.some(({ kind }) => kind === "command");
    return (
      (hasCommand ? await replayCommands(task, open, acts) : undefined) ??
      (await replayTests(open, areSeveral ? undefined : testsDiff, acts)) ??
      (await replayProgram(task, open, acts))
    );
  });
  // The kept tests may be those of any arm.
  if (areSeveral && testsDiff !== undefined) replays.push(() => replayTests(open, testsDiff, []));
  let best: Found | undefined;
  for (const each of replays) {
    const found = await each();
    if (found?.validity === "valid") return found;
    best ??= found;
    if (best !== undefined && found !== undefined && rankOf(found) < rankOf(best)) best = found;
  }
  return best;
}

function rankOf({ validity }: Found): number {
  return validities.indexOf(validity);
}

function mayReproduce({ kind }: RecordedAct): boolean {
  return kind !== "anew" && kind !== "replace" && kind !== "insert";
}

type Found = Omit<Replayed, "run">;

/** Maximum number of bytes kept of each stream, half from its start and half from its end. */
const outputBytes = 64 * 1024;
/** Milliseconds for one command: more than agents' shells allow by default. */
const commandMs = 600_000;

interface ReplayDesk extends ShellDesk {
  /** Returns the folder in which the next command starts, relative to the root. */
  directory(): string;
}

/** Opens a shell in a checkout. Keeps no record of its commands. */
function openDesk({ workspace, options }: OpenTask, checkout: Checkout, start = ""): ReplayDesk {
  let [laid, tree, directory] = ["", workspace.base, start];
  return {
    root: checkout.names.root,
    // A replay stores no texts.
    outputs: { keep: hashText, find: () => undefined },
    tree: () => tree,
    directory: () => directory,
    project: (files) => viewProject(checkout, files),
    change(next) {
      tree = next;
    },
    async execute(text, seconds) {
      if (laid !== tree) await checkout.lay(tree);
      const { signal } = options;
      const ended = await runShell(checkout, {
        text,
        directory,
        timeoutMs: seconds * 1000,
        outputBytes,
        signal,
      });
      const taken = await checkout.take();
      directory = ended.directory;
      laid = taken.tree;
      tree = taken.tree;
      return { ...ended, tree, leftOut: [...taken.leftOut] };
    },
    close: () => checkout.close(),
  };
}

/**
 * Repeats the commands and edits of an agent with a shell. Judges the last command that runs a file which the agent
 * wrote on unchanged code. Without such a command, judges the first one on changed code. Undefined if no command runs
 * such a file.
 */
async function replayCommands(
  { task }: GradedTask,
  open: OpenTask,
  acts: readonly RecordedAct[],
): Promise<Found | undefined> {
  const found = await withCheckout(open, async (checkout) => {
    const desk = openDesk(open, checkout);
    const used = acts.some((act) => act.kind === "command" && act.command.includes(posix.dirname(runScript)));
    if (used) await layReproductionProject({ task: taskOf(task), workspace: open.workspace }, desk);
    let chosen: Chosen | undefined;
    for (const act of acts) {
      const before = await changedFiles(open, desk.tree());
      if (act.kind !== "command") {
        desk.change(await applyAct(open, desk, act));
        continue;
      }
      const directory = desk.directory();
      await desk.execute(act.command, commandMs / 1000);
      const now = await changedFiles(open, desk.tree());
      const isRun = runsOneOf(act.command, [...before.own, ...now.own]);
      // A reproduction that runs on changed code shows the agent's patch, not the fault.
      if (isRun && (chosen === undefined || before.code.length === 0))
        chosen = { command: act.command, directory, tree: desk.tree() };
    }
    return chosen;
  });
  if (found === undefined) return undefined;
  return judgeChosen("command", open, found);
}

function taskOf({ id, kind, statement, repository }: DatasetTask): Task {
  return { id, kind, statement, repository };
}

interface Chosen {
  readonly command: string;
  readonly directory: string;
  /** The tree with the files after the command. */
  readonly tree: string;
}

/** Runs the command twice on the base and once with the known fix. Adds the reproduction's own files each time. */
async function judgeChosen(form: "command" | "program", open: OpenTask, chosen: Chosen): Promise<Found> {
  const { base } = open.workspace;
  const { gold } = open.trees;
  const { own } = await changedFiles(open, chosen.tree);
  const runOn = async (on: string) => {
    const tree = await copyFiles(open, chosen.tree, own, on);
    return withCheckout(open, async (checkout) => {
      const desk = openDesk(open, checkout, chosen.directory);
      desk.change(tree);
      return desk.execute(chosen.command, commandMs / 1000);
    });
  };
  const shown = { first: await runOn(base), again: await runOn(base), fixed: await runOn(gold) };
  if (!showsFiles(chosen.command)) return judgeProgram(form, shown, gold !== base);
  const fixed = await collectFixed(open);
  return judgeProgram(form, shown, gold !== base, (text) => withoutFiles(text, fixed));
}

/** Collects the lines of the files that the known fix changes. */
async function collectFixed({ workspace: { trees, base }, trees: { gold } }: OpenTask): Promise<ShownFiles> {
  const changed = await trees.stat(base, gold);
  const files = changed.map(async ({ path }) => {
    const texts = await Promise.all([base, gold].map((tree) => trees.read(tree, path)));
    return { path, texts: texts.flatMap((text) => text?.toString("utf8") ?? []) };
  });
  return collectLines(await Promise.all(files));
}

/** Lists the files that differ from the base: those of a reproduction (new files, tests), and other code. */
async function changedFiles({ workspace: { trees, base } }: OpenTask, tree: string) {
  if (tree === base) return { own: [], code: [] };
  const known = new Set((await trees.list(base)).map(({ path }) => path));
  const paths = (await trees.stat(base, tree)).map(({ path }) => path);
  const isOwn = (path: string): boolean => !known.has(path) || isTestFile(path);
  return { own: paths.filter(isOwn), code: paths.filter((path) => !isOwn(path)) };
}

/** Copies these files of one tree into another, and returns the new tree. */
async function copyFiles(
  { workspace: { trees } }: OpenTask,
  from: string,
  paths: readonly string[],
  to: string,
) {
  const changes = await Promise.all(
    paths.map(async (path) => ({ path, content: (await trees.read(from, path)) ?? null })),
  );
  return trees.write(to, changes);
}

/**
 * Returns the tree after an edit. Returns the same tree if the edit does not fit, for example because only the agent's
 * machine had the file.
 */
async function applyAct(
  { workspace: { trees } }: OpenTask,
  desk: ReplayDesk,
  act: RecordedAct,
): Promise<string> {
  const tree = desk.tree();
  if (act.kind !== "create" && act.kind !== "replace" && act.kind !== "insert") return tree;
  const place = await lookUp(trees, tree, { root: desk.root, path: act.path });
  if (!place.ok || place.value.kind === "folder") return tree;
  const { path } = place.value;
  const text = place.value.kind === "file" ? place.value.text : undefined;
  if (act.kind === "create") return trees.write(tree, [{ path, content: act.text }]);
  if (text === undefined) return tree;
  const lines = text.split("\n");
  const content =
    act.kind === "replace"
      ? text.split(act.old).length === 2
        ? text.split(act.old).join(act.new)
        : text
      : [...lines.slice(0, act.line), act.text.replace(/\n$/, ""), ...lines.slice(act.line)].join("\n");
  return trees.write(tree, [{ path, content }]);
}

/** Runs the new tests that the run kept, or else those that its newest action for a reproduction wrote. */
async function replayTests(
  open: OpenTask,
  testsDiff: string | undefined,
  acts: readonly RecordedAct[],
): Promise<Found | undefined> {
  const { trees } = open;
  const tree = testsDiff === undefined ? await applyEditActs(open, acts) : await applyKept(open, testsDiff);
  if (tree === undefined)
    return {
      ...{ form: "tests", validity: "not replayed", outputs: [] },
      reason: "the kept tests no longer apply to the base",
    };
  const { own: files } = await changedFiles(open, tree);
  const tests = files.filter((path) => isTestFile(path));
  if (tests.length === 0) return undefined;
  const fixed = await copyFiles(open, tree, files, trees.gold);
  const runs = await withCheckout(open, async (checkout) => {
    const plan = {
      ...(await open.plan(checkout, tree)),
      selection: { kind: "files", files: tests },
    } as const;
    return {
      first: await open.run(checkout, tree, plan),
      again: await open.run(checkout, tree, plan),
      fixed: await open.run(checkout, fixed, plan),
    };
  });
  return judgeTests(runs, trees.gold !== open.workspace.base);
}

interface ShownTests {
  readonly first: TestsEnd;
  /** The second run on the base: a test that fails only by chance shows nothing. */
  readonly again: TestsEnd;
  readonly fixed: TestsEnd;
}

type TestsEnd = Pick<TimedRun, "outcomes" | "invalid" | "end">;

/**
 * Judges new tests by their three runs. The tests are valid if one of them fails in both runs on the base and passes
 * with the known fix. If none does, a run that was cut off, or a first run without results, gives no judgement (`not
 * replayed`). Without a known fix, there is no judgement either.
 */
export function judgeTests({ first, again, fixed }: ShownTests, hasFix: boolean): Found {
  const outputs = [
    { on: "base" as const, text: tellOutcomes(first) },
    ...(hasFix ? [{ on: "known fix" as const, text: tellOutcomes(fixed) }] : []),
  ];
  const found = { form: "tests" as const, outputs };
  if (!hasFix) return { ...found, validity: "not replayed", reason: noFix };
  const failing = first.outcomes.filter(
    ({ key, status }) => key.name !== "" && isFailing(status) && isFailing(findStatus(again.outcomes, key)),
  );
  const turned = failing.filter(({ key }) => findStatus(fixed.outcomes, key) === "passed");
  const [example] = turned;
  if (example !== undefined)
    return {
      ...found,
      validity: "valid",
      reason: `${turned.length} of ${countOf(failing.length, "failing test")} repaired by the known fix, such as ${formatTestKey(example.key)}`,
    };
  const cut = [first, again, fixed].find(({ end }) => isCut(end));
  if (cut !== undefined)
    return { ...found, validity: "not replayed", reason: `the run of the tests was cut off: ${cut.end}` };
  if (first.outcomes.length === 0)
    return {
      ...found,
      validity: "not replayed",
      reason: `the run on the base reported no test${first.invalid === undefined ? "" : `: ${first.invalid}`}`,
    };
  const broken = first.outcomes.filter(({ status }) => isFailing(status));
  if (broken.length === 0) return { ...found, validity: "irrelevant", reason: "no test fails on the base" };
  const texts = broken.flatMap(({ failure }) => (failure === undefined ? [] : failure.text));
  const validity = causeOf({ outcomes: broken, texts });
  return { ...found, validity, reason: "no test that fails on the base passes with the known fix" };
}

const noFix = "the task has no known fix";

/** True if a limit ended the run. False if the program ended by itself. */
function isCut(end: string): boolean {
  return end !== "exited" && end !== "signalled";
}

/** Makes the base with the kept tests; undefined if they do not apply. */
async function applyKept({ workspace: { trees, base } }: OpenTask, patch: string) {
  const applied = await trees.apply(base, patch);
  return applied.ok ? applied.value : undefined;
}

/** Makes the tree after the edits of the newest action that wrote a file. */
async function applyEditActs(
  { workspace: { trees, base } }: OpenTask,
  acts: readonly RecordedAct[],
): Promise<string> {
  let [tree, newest] = [base, base];
  for (const act of acts) {
    if (act.kind === "anew") tree = base;
    if (act.kind !== "edits") continue;
    const now = tree;
    const files: EditableFiles = {
      read: async (path) => succeed((await trees.read(now, path))?.toString("utf8")),
      list: async () => (await trees.list(now)).map(({ path }) => path),
    };
    const { edits, problems } = parseEdits(act.text);
    const applied = problems.length > 0 ? undefined : await applyEdits(files, edits, { findErrors: false });
    if (applied?.ok !== true) continue;
    const changes = applied.changes.flatMap(({ path, from, after }) => [
      ...(from === undefined || from === path ? [] : [{ path: from, content: null }]),
      { path, content: after ?? null },
    ]);
    tree = await trees.write(tree, changes);
    newest = tree;
  }
  return newest;
}

function tellOutcomes({ outcomes, invalid }: Pick<TimedRun, "outcomes" | "invalid">) {
  return [
    ...(invalid === undefined ? [] : [`The report of the tests cannot be trusted: ${invalid}`]),
    ...outcomes.map(({ key, status, failure }) =>
      [`${status}: ${formatTestKey(key)}`, ...(failure === undefined ? [] : [failure.text])].join("\n"),
    ),
  ].join("\n");
}

/** Runs the newest program that the attempt ran beside the unchanged code. */
async function replayProgram(
  { task }: GradedTask,
  open: OpenTask,
  acts: readonly RecordedAct[],
): Promise<Found | undefined> {
  const act = acts.findLast(({ kind }) => kind === "program");
  if (act?.kind !== "program") return undefined;
  const laid = await withCheckout(open, async (checkout) => {
    const desk = openDesk(open, checkout);
    const ended = await layReproductionProject({ task: taskOf(task), workspace: open.workspace }, desk);
    return ended.ok ? { forged: ended.forged, tree: desk.tree() } : ended.message;
  });
  if (typeof laid === "string") return { validity: "not replayed", reason: laid, outputs: [] };
  const { entry, run: command } = laid.forged;
  const tree = await open.workspace.trees.write(laid.tree, [{ path: entry, content: act.program }]);
  return judgeChosen("program", open, { command, directory: "", tree });
}

type Ended = Pick<Awaited<ReturnType<ShellDesk["execute"]>>, "end" | "exitCode" | "stdout" | "stderr">;

interface ShownProgram {
  readonly first: Ended;
  /** The second run on the base: output that varies between equal runs shows nothing. */
  readonly again: Ended;
  readonly fixed: Ended;
}

/**
 * Judges a program by its three runs. The program is valid if it fails in both runs on the base and ends with exit code
 * 0 with the known fix. It is also valid if it can run, no limit ends it, and it gives the same steady output in both
 * runs on the base, and another with the known fix. Without a known fix, there is no judgement (`not replayed`).
 * `ownOutput`: removes everything but the program's own output.
 */
export function judgeProgram(
  form: "command" | "program",
  { first, again, fixed }: ShownProgram,
  hasFix: boolean,
  ownOutput = (text: string): string => text,
): Found {
  const outputs = [
    { on: "base" as const, text: tellEnd(first) },
    ...(hasFix ? [{ on: "known fix" as const, text: tellEnd(fixed) }] : []),
  ];
  const found = { form, outputs };
  if (!hasFix) return { ...found, validity: "not replayed", reason: noFix };
  const [one, two, other] = [first, again, fixed].map((ended) => steadyOutput(ownOutput(tellEnd(ended))));
  const isSteady = first.end === again.end && first.exitCode === again.exitCode;
  const failed = first.exitCode !== 0;
  if (isSteady && failed && fixed.end === "exited" && fixed.exitCode === 0)
    return {
      ...found,
      validity: "valid",
      reason: "the reproduction fails on the base, and passes with the known fix",
    };
  // A later command of the same line may have set the exit code, so only the text tells the cause.
  const [cause, left] = [first, fixed].map((ended) =>
    causeOf({ outcomes: [], texts: [ownOutput(tellEnd(ended))] }),
  );
  if ((cause === "dependency" || cause === "does not compile") && cause === left)
    return {
      ...found,
      validity: cause,
      reason: "the reproduction runs neither on the base nor with the known fix",
    };
  const endless = [first, again, fixed].find(({ end }) => isCut(end));
  if (endless !== undefined) {
    const where = endless === fixed ? "with the known fix" : "on the base";
    return {
      ...found,
      validity: "irrelevant",
      reason: `the reproduction does not end by itself ${where}: ${endless.end}`,
    };
  }
  if (isSteady && one === two && one !== other)
    return {
      ...found,
      validity: "valid",
      reason: "the reproduction's output on the base differs from its output with the known fix",
    };
  const why =
    one === two
      ? "the reproduction's output is the same with the known fix"
      : "the reproduction's output differs each time on the base";
  return { ...found, validity: "irrelevant", reason: why };
}

function tellEnd({ end, exitCode, stdout, stderr }: Ended): string {
  const how = end === "exited" ? `exit code ${exitCode}` : end;
  return [how, stdout.trimEnd(), stderr.trimEnd()].filter((text) => text !== "").join("\n");
}
