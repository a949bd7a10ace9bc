/** Loads tasks from JSON Lines: Millwright's own format with its hidden part beside it, and SWE-bench's fields. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { readSweBenchTask, sweBenchLineSchema } from "./swe-bench-task.ts";
import {
  type GradedTask,
  hiddenPartSchema,
  type TestLists,
  taskIdSchema,
  testListsSchema,
  visibleTaskSchema,
} from "./task.ts";

export interface TaskSources {
  readonly tasks: string;
  /** Default: `NAME.hidden.jsonl` beside `NAME.jsonl`. */
  readonly hidden?: string | undefined;
  /** Lists that `bench check --write-lists` wrote: they replace the tasks' own. */
  readonly lists?: string | undefined;
}

export const listsLineSchema = testListsSchema.extend({
  schema: z.literal("millwright.lists/1"),
  id: taskIdSchema,
});

/** Throws MillwrightError("usage") that names each wrong line with its field. */
export function loadTasks(sources: TaskSources): readonly GradedTask[] {
  const problems: string[] = [];
  const hidden = readHidden(sources, problems);
  const lists = readListsFile(sources.lists, problems);
  const tasks = new Map<string, GradedTask>();
  for (const { data, place } of readLines(sources.tasks, problems)) {
    const task = readTask(data, place, hidden, problems);
    if (task === undefined) continue;
    const same = tasks.get(task.id);
    if (same !== undefined) problems.push(`${place}: the id ${task.id} stands at ${same.place} too`);
    const given = lists.get(task.id);
    tasks.set(
      task.id,
      given === undefined ? task : { ...task, hidden: { ...task.hidden, lists: given.value } },
    );
  }
  for (const [id, { place }] of [...hidden, ...lists]) {
    if (!tasks.has(id)) problems.push(`${place}: there is no task ${id}`);
  }
  if (problems.length > 0) throw wrongLines(sources.tasks, problems);
  return [...tasks.values()];
}

interface Placed<T> {
  readonly value: T;
  readonly place: string;
}

type Hidden = z.infer<typeof hiddenPartSchema>;

function readHidden(sources: TaskSources, problems: string[]): Map<string, Placed<Hidden>> {
  const beside = sources.tasks.replace(/(\.jsonl)?$/, ".hidden.jsonl");
  const path = sources.hidden ?? (existsSync(beside) ? beside : undefined);
  const found = new Map<string, Placed<Hidden>>();
  if (path !== undefined) readKeyed(path, hiddenPartSchema, found, problems);
  return found;
}

function readListsFile(path: string | undefined, problems: string[]): Map<string, Placed<TestLists>> {
  const found = new Map<string, Placed<z.infer<typeof listsLineSchema>>>();
  if (path !== undefined) readKeyed(path, listsLineSchema, found, problems);
  return new Map(
    [...found].map(([id, { value, place }]) => {
      const { failToPass, passToPass, flaky } = value;
      return [id, { value: { failToPass, passToPass, flaky }, place }];
    }),
  );
}

function readKeyed<T extends { readonly id: string }>(
  path: string,
  schema: z.ZodType<T>,
  found: Map<string, Placed<T>>,
  problems: string[],
): void {
  for (const { data, place } of readLines(path, problems)) {
    const value = parseLine(schema, data, place, problems);
    if (value === undefined) continue;
    const same = found.get(value.id);
    if (same !== undefined) problems.push(`${place}: the id ${value.id} stands at ${same.place} too`);
    found.set(value.id, { value, place });
  }
}

function readTask(
  data: unknown,
  place: string,
  hidden: ReadonlyMap<string, Placed<Hidden>>,
  problems: string[],
): GradedTask | undefined {
  if (data !== null && typeof data === "object" && "instance_id" in data) {
    const line = parseLine(sweBenchLineSchema, data, place, problems);
    return line && readSweBenchTask(line, place);
  }
  const visible = parseLine(visibleTaskSchema, data, place, problems);
  if (visible === undefined) return undefined;
  const part = hidden.get(visible.id)?.value;
  if (part === undefined) {
    problems.push(`${place}: ${visible.id} has no hidden part; give its file with --hidden`);
    return undefined;
  }
  const { id, repository, baseCommit, version, setup } = visible;
  const { goldPatch, testPatch, testCommand, testFiles, lists } = part;
  const tests = { command: testCommand, files: testFiles, limitMs: undefined };
  return {
    id,
    repository,
    baseCommit,
    version,
    setup,
    hidden: { goldPatch, testPatch, tests, lists },
    place,
  };
}

function parseLine<T>(schema: z.ZodType<T>, data: unknown, place: string, problems: string[]): T | undefined {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const field = issue.path.join(".");
    problems.push(`${place}: ${field === "" ? "" : `${field}: `}${issue.message}`);
  }
  return undefined;
}

interface Line {
  readonly data: unknown;
  /** `FILE:LINE` */
  readonly place: string;
}

/** The JSON of each line that is not blank. */
export function readLines(path: string, problems: string[]): Line[] {
  const lines: Line[] = [];
  for (const [index, text] of readTextFile(path).split("\n").entries()) {
    if (text.trim() === "") continue;
    const place = `${path}:${index + 1}`;
    try {
      lines.push({ data: JSON.parse(text) as unknown, place });
    } catch (error) {
      problems.push(`${place}: is no JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return lines;
}

/** Throws MillwrightError("usage"). */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MillwrightError("usage", `${path} cannot be read: ${reason}`, { cause });
  }
}

const mostShown = 20;

export function wrongLines(path: string, problems: readonly string[]): MillwrightError {
  const shown = problems.slice(0, mostShown);
  if (problems.length > shown.length) shown.push(`… and ${problems.length - shown.length} more`);
  return new MillwrightError("usage", `${path} cannot be used:\n  ${shown.join("\n  ")}`, {
    hint: "docs/grading.md describes the formats.",
  });
}
