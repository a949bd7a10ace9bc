/**
 * The steps of writing into the user's repository, and their journal in the run's folder. Millwright first writes new
 * contents under temporary names in the repository, and renames them when it commits (`planStep`). If the process is
 * killed at any moment, the next start finishes or undoes the steps.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { parseJson } from "../base/parse-json.ts";
import { type BytePath, hostPath, parentOf } from "./byte-path.ts";
import { statNow } from "./file-status.ts";

/** A file's mark: it differs once somebody has written the file again. */
const markSchema = z.object({ ino: z.number(), size: z.number(), mtimeMs: z.number() });
type Mark = z.infer<typeof markSchema>;

const stepSchema = z.object({
  /** The path as shown to people. */
  shown: z.string(),
  path: z.string(),
  /** The file's mode; null removes the file. */
  mode: z.string().nullable(),
  /** Path of the prepared new content; null for a removal. */
  fresh: z.string().nullable(),
  /** A hard link to the user's original file; null for a new file. */
  original: z.string().nullable(),
  /** The mark of the user's original file. `made`: the mark of ours. Both are set once the step is prepared. */
  was: markSchema.optional(),
  made: markSchema.optional(),
});
export type ApplyStep = z.infer<typeof stepSchema>;

const journalSchema = z.object({
  /** `preparing`: Millwright has not changed any of the user's files yet. */
  state: z.enum(["preparing", "committing"]),
  repository: z.string(),
  steps: z.array(stepSchema),
});

export interface ApplyPlan {
  /** The run's folder, which holds the journal. */
  readonly directory: string;
  readonly repository: string;
  readonly steps: readonly ApplyStep[];
}

const journalName = "apply.json";

/**
 * Writes the new contents, and hard links to the user's files, into the repository under temporary names. Returns the
 * plan to commit. If it throws a system error, it has not changed any user file, and has left no temporary file.
 */
export async function prepareSteps(
  plan: ApplyPlan,
  read: (step: ApplyStep) => Promise<Buffer>,
): Promise<ApplyPlan> {
  try {
    await writeJournal(plan, "preparing");
    const steps: ApplyStep[] = [];
    for (const step of plan.steps) steps.push(await prepareStep(plan, step, read));
    const prepared = { ...plan, steps };
    await writeJournal(prepared, "committing");
    return prepared;
  } catch (error) {
    await endApply(plan);
    throw error;
  }
}

async function prepareStep(
  plan: ApplyPlan,
  step: ApplyStep,
  read: (step: ApplyStep) => Promise<Buffer>,
): Promise<ApplyStep> {
  const file = at(plan, step.path);
  const present = step.original === null ? undefined : lstatSync(file);
  if (step.original !== null) keepOriginal(file, at(plan, step.original));
  const was = present === undefined ? {} : { was: markOf(present) };
  if (step.fresh === null) return { ...step, ...was };
  const fresh = at(plan, step.fresh);
  writeFresh(fresh, step.mode ?? "100644", await read(step), present);
  return { ...step, ...was, made: markOf(lstatSync(fresh)) };
}

/**
 * Commits a prepared plan: removes files, and renames the new contents to their places. If it throws a system error,
 * call `undoSteps`.
 */
export async function commitSteps(plan: ApplyPlan): Promise<void> {
  for (const step of plan.steps) {
    if (step.fresh === null) removeFile(plan, step.path);
  }
  for (const step of plan.steps) {
    if (step.fresh === null || statNow(at(plan, step.fresh)) === undefined) continue;
    const folder = parentOf(step.path);
    if (folder !== "") mkdirSync(at(plan, folder), { recursive: true });
    renameSync(at(plan, step.fresh), at(plan, step.path));
  }
  await endApply(plan);
}

/**
 * Undoes a prepared plan: removes created files, and restores replaced and removed ones. Keeps files that the user has
 * written since.
 */
export async function undoSteps(plan: ApplyPlan): Promise<void> {
  for (const step of plan.steps) {
    if (step.original === null && isMarked(plan, step.path, step.made)) removeFile(plan, step.path);
  }
  for (const step of plan.steps) {
    if (step.original === null || statNow(at(plan, step.original)) === undefined) continue;
    const isGone = statNow(at(plan, step.path)) === undefined;
    if (!isGone && !isMarked(plan, step.path, step.made)) continue;
    const folder = parentOf(step.path);
    if (folder !== "") mkdirSync(at(plan, folder), { recursive: true });
    renameSync(at(plan, step.original), at(plan, step.path));
  }
  await endApply(plan);
}

/**
 * Completes the work of a killed process. Finishes the plan if the user has not touched its remaining files; otherwise
 * undoes the finished steps. Returns a description for people, or undefined without work. Throws
 * MillwrightError("disk") for a damaged journal.
 */
export async function recoverApply(directory: string): Promise<string | undefined> {
  const path = join(directory, journalName);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
  const journal = journalSchema.safeParse(parseJson(text));
  if (!journal.success) throw new MillwrightError("disk", `${path} is damaged.`, { cause: journal.error });
  const plan: ApplyPlan = { directory, ...journal.data };
  const names = plan.steps.map((step) => step.shown).join(", ");
  if (journal.data.state === "committing" && plan.steps.every((step) => canFinish(plan, step))) {
    await commitSteps(plan);
    return `finished writing the patch to ${names}`;
  }
  if (journal.data.state === "preparing") await endApply(plan);
  else await undoSteps(plan);
  return `undid a half-written patch of ${names}`;
}

/** True if the step is done, or if its file is unchanged since the preparation. */
function canFinish(plan: ApplyPlan, step: ApplyStep): boolean {
  if (step.fresh !== null && statNow(at(plan, step.fresh)) === undefined) return true;
  const present = statNow(at(plan, step.path));
  if (present === undefined || step.original === null) return present?.isDirectory() ?? true;
  return isMarked(plan, step.path, step.was);
}

function markOf({ ino, size, mtimeMs }: Stats): Mark {
  return { ino, size, mtimeMs };
}

function isMarked(plan: ApplyPlan, path: BytePath, mark: Mark | undefined): boolean {
  const present = statNow(at(plan, path));
  if (present === undefined || mark === undefined) return false;
  return present.ino === mark.ino && present.size === mark.size && present.mtimeMs === mark.mtimeMs;
}

function keepOriginal(file: string | Buffer, name: string | Buffer): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    copyFileSync(file, name);
  }
}

function writeFresh(name: string | Buffer, mode: string, content: Buffer, present: Stats | undefined): void {
  if (mode === "120000") {
    symlinkSync(content, name);
    return;
  }
  const isProgram = mode === "100755";
  const file = openSync(name, "wx", isProgram ? 0o777 : 0o666);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (present === undefined || present.isSymbolicLink()) return;
  const rights = present.mode & 0o777 & ~0o111;
  chmodSync(name, isProgram ? rights | ((rights & 0o444) >> 2) : rights);
  const own = lstatSync(name);
  if (own.uid !== present.uid || own.gid !== present.gid) chownSync(name, present.uid, present.gid);
}

function removeFile(plan: ApplyPlan, path: BytePath): void {
  const file = at(plan, path);
  const status = statNow(file);
  if (status !== undefined && !status.isDirectory()) unlinkSync(file);
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    try {
      rmdirSync(at(plan, folder));
    } catch (error) {
      if (isSystemError(error)) return; // it contains other files
      throw error;
    }
  }
}

async function writeJournal(plan: ApplyPlan, state: "preparing" | "committing"): Promise<void> {
  const { repository, steps } = plan;
  await writeFileAtomically(join(plan.directory, journalName), JSON.stringify({ state, repository, steps }));
}

async function endApply(plan: ApplyPlan): Promise<void> {
  for (const { fresh, original } of plan.steps) {
    for (const name of [fresh, original]) if (name !== null) rmSync(at(plan, name), { force: true });
  }
  await rm(join(plan.directory, journalName), { force: true });
}

function at(plan: ApplyPlan, path: BytePath): string | Buffer {
  return hostPath(plan.repository, path);
}
