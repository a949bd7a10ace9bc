/** Manages the folder of all runs, and each run's folder: its id, `run.json`, and the working process's lock. */
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { countOf } from "../../base/count.ts";
import { describeReadError, isSystemError, MillwrightError } from "../../base/errors.ts";
import { makeFolders } from "../../base/make-folders.ts";
import { processStartTime } from "../../base/process-identity.ts";
import { largestText, readRegularFile } from "../../base/regular-file.ts";
import { kindByRuleSchema, taskSchema } from "../../domain/task.ts";
import { switchesSchema } from "../switches.ts";

/** The schema of `run.json`, which contains all data that a repetition of the run needs. */
export const runDescriptionSchema = z.object({
  schema: z.literal("millwright.run/1"),
  run: z.string(),
  /** Millwright's version. */
  version: z.string(),
  startedAt: z.string(),
  task: taskSchema,
  /** The kind that rules chose for the task; absent if the user gave it. */
  kindByRule: kindByRuleSchema.optional(),
  strategy: z.string(),
  model: z.string().nullable(),
  /** Other settings of models, as the user gave them. None of them is secret. */
  modelSettings: z.record(z.string(), z.unknown()).optional(),
  /** The chosen sandbox, never `auto`. */
  sandbox: z.string(),
  /** The image. Older versions wrote only its name. */
  image: z
    .union([
      z.string().transform((name) => ({ name })),
      z.object({ name: z.string(), root: z.string().optional(), path: z.array(z.string()).optional() }),
    ])
    .optional(),
  network: z.boolean(),
  /** In a run with a model: files with keys that the run's copy contains nevertheless. */
  share: z.array(z.string()).optional(),
  testCommand: z.string().optional(),
  testTimeoutMs: z.number().positive().optional(),
  parallel: z.int().positive(),
  /** `auto`: the run may ask the machine's language servers. */
  codeServers: z.enum(["auto", "off"]).optional(),
  /** Number of samples, for a strategy that samples; default: the strategy's own number. */
  samples: z.int().positive().optional(),
  /** The arms, for a strategy that runs other strategies. */
  arms: z.array(z.string()).optional(),
  /** The command, for a strategy that is another program. */
  agentCommand: z.string().optional(),
  agentFolder: z.string().optional(),
  limits: z.object({
    maxMs: z.number().optional(),
    maxSteps: z.int().optional(),
    maxUsd: z.number().optional(),
    maxTokens: z.int().optional(),
    memoryBytes: z.int(),
    cpus: z.number(),
    processes: z.int(),
  }),
  /** `"partial"`: also applies a patch that repairs only some of the failing tests. */
  apply: z.union([z.boolean(), z.literal("partial")]),
  /** Absent in runs of older versions. */
  switches: switchesSchema.optional(),
  /** A folder of the user that gets a copy of the calls at the run's end. */
  recordTo: z.string().optional(),
  /** The file with notes of earlier runs, if the user allows them: read at the start, written at the end. */
  notesFile: z.string().optional(),
  /** Notes that replace those of `notesFile`. In a repeated run, they are the notes of the original. */
  recalled: z.array(z.unknown()).optional(),
  /** The id of the run that this run repeats from its recorded calls. */
  replays: z.string().optional(),
  /** The folder of the repeated run. */
  original: z.string().optional(),
  /** The repository's location, for a run that began elsewhere. The task keeps its path, because models know it. */
  repositoryAt: z.string().optional(),
});
export type RunDescription = z.infer<typeof runDescriptionSchema>;

export function newRunId(repositoryName: string, now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const name =
    repositoryName
      .replaceAll(/[^A-Za-z0-9]+/g, "-")
      .slice(0, 24)
      .toLowerCase() || "run";
  return `${stamp}-${name}-${randomBytes(2).toString("hex")}`;
}

/**
 * Creates the run's folder, writes its description, and returns the folder's path. Throws MillwrightError("disk") if
 * this fails.
 */
export async function createRun(runsDirectory: string, description: RunDescription): Promise<string> {
  const directory = join(runsDirectory, description.run);
  try {
    await makeFolders(runsDirectory);
    await mkdir(directory, { mode: 0o700 });
    await writeFileAtomically(join(directory, "run.json"), `${JSON.stringify(description, null, 2)}\n`);
  } catch (error) {
    throw new MillwrightError(
      "disk",
      `Millwright cannot create the run's folder ${directory}: ${String(error)}`,
      {
        cause: error,
        hint: "Free disk space, or choose another folder for runs (runsDir).",
      },
    );
  }
  return directory;
}

/** Replaces the description of a run that continues. Throws MillwrightError("disk") if it cannot write the file. */
export async function describeAnew(directory: string, description: RunDescription): Promise<void> {
  const path = join(directory, "run.json");
  try {
    await writeFileAtomically(path, `${JSON.stringify(description, null, 2)}\n`);
  } catch (cause) {
    throw new MillwrightError("disk", `${path} cannot be written: ${String(cause)}`, { cause });
  }
}

/**
 * Returns the folder of a run. `name`: the run's id, a unique part of the id, the folder itself, or `last`. Throws
 * MillwrightError("usage") unless exactly one run matches. Throws MillwrightError("disk") if it cannot read the folder
 * of runs.
 */
export async function findRun(runsDirectory: string, name: string): Promise<string> {
  if (existsSync(join(name, "run.json"))) return name;
  const ids = await listRunIds(runsDirectory);
  const matches = name === "last" ? ids.slice(-1) : ids.filter((id) => id === name || id.includes(name));
  const exact = matches.find((id) => id === name);
  const [only, ...others] = exact === undefined ? matches : [exact];
  if (only === undefined) {
    throw new MillwrightError("usage", `There is no run ${name} in ${runsDirectory}`, {
      hint: "`millwright runs` lists the runs.",
    });
  }
  if (others.length > 0) {
    throw new MillwrightError(
      "usage",
      `${name} matches ${matches.length} runs: ${matches.slice(0, 5).join(", ")}`,
      {
        hint: "Give a longer part of the id.",
      },
    );
  }
  return join(runsDirectory, only);
}

/**
 * Lists the ids of runs, oldest first; ignores folders without `run.json`. Returns an empty list if the folder is
 * missing. Throws MillwrightError("disk") if it cannot read the folder.
 */
export async function listRunIds(runsDirectory: string): Promise<string[]> {
  try {
    const names = await readdir(runsDirectory);
    return names.filter((name) => existsSync(join(runsDirectory, name, "run.json"))).sort();
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw new MillwrightError("disk", `The runs' folder ${runsDirectory} cannot be read`, { cause: error });
  }
}

export async function readRun(directory: string): Promise<RunDescription> {
  try {
    const text = readRegularFile(join(directory, "run.json"), largestText).toString("utf8");
    return runDescriptionSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new MillwrightError("disk", `${join(directory, "run.json")} cannot be read: ${tellDamage(error)}`, {
      cause: error,
      hint: "The run's folder is damaged, or another version of Millwright wrote it. The file events.jsonl contains the run's steps. Start a new run with `millwright solve`.",
    });
  }
}

/** Describes the damage in one line, because a damaged document may break every rule of its schema. */
function tellDamage(error: unknown): string {
  const [first, ...more] = error instanceof z.ZodError ? error.issues : [];
  if (first === undefined) return describeReadError(error);
  const field = first.path.length === 0 ? "the document" : first.path.join(".");
  return `${field}: ${first.message}${more.length === 0 ? "" : ` (and ${countOf(more.length, "more field")})`}`;
}

const lockSchema = z.object({ pid: z.int(), startTime: z.string() });

/**
 * Locks the run for this process, and returns a function that unlocks it. Takes over the lock of a dead process. Throws
 * MillwrightError("usage") if a living process holds the lock. Throws MillwrightError("disk") if it cannot write the
 * lock, or if other processes take it first.
 */
export function lockRun(directory: string): () => void {
  const path = join(directory, "lock");
  const content = JSON.stringify({ pid: process.pid, startTime: processStartTime(process.pid) ?? "" });
  const own = `${path}.${process.pid}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(own, content, { mode: 0o600 });
      linkSync(own, path); // created in one step: nobody ever sees a lock without its content
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!isSystemError(error, "EEXIST")) {
        throw new MillwrightError("disk", `The run's lock ${path} cannot be written`, { cause: error });
      }
      if (isRunAlive(directory)) {
        throw new MillwrightError("usage", "Another process is working on this run", {
          hint: "Wait until that process ends, or end it.",
        });
      }
      rmSync(path, { force: true });
    } finally {
      rmSync(own, { force: true });
    }
  }
  throw new MillwrightError(
    "disk",
    `The run's lock ${path} cannot be taken: other processes take it at the same time`,
  );
}

/** Returns true while the process that locked the run lives. Ignores a later process that got the same process id. */
export function isRunAlive(directory: string): boolean {
  try {
    const lock = lockSchema.parse(JSON.parse(readRegularFile(join(directory, "lock")).toString("utf8")));
    return processStartTime(lock.pid) === lock.startTime;
  } catch {
    return false; // no lock, or one torn by a crash
  }
}
