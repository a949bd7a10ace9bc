/**
 * Applies candidates to a tree by three-way merge. Merges each candidate's changes since its parent, file by file, and
 * line by line within a file.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, type Result, succeed } from "../base/result.ts";
import type { Candidate } from "../domain/candidate.ts";
import { type BytePath, foldersOf, showPath } from "./byte-path.ts";
import { runGit } from "./git.ts";
import type { ObjectStore } from "./objects.ts";
import { type Entry, type EntryChange, sameEntry, type Trees } from "./trees.ts";

export interface ComposeRequest {
  readonly gitDirectory: string;
  /** An empty folder for the files that git merges. */
  readonly folder: string;
  readonly objects: ObjectStore;
  readonly trees: Trees;
  readonly base: string;
  readonly candidates: readonly Candidate[];
  readonly treeOf: (id: string) => string;
}

export async function composeCandidates(request: ComposeRequest): Promise<Result<string, "conflict">> {
  const { trees, base, treeOf } = request;
  const changedBy = new Map<BytePath, string[]>();
  let current = base;
  for (const candidate of request.candidates) {
    const parent = candidate.parent === undefined ? base : treeOf(candidate.parent);
    const changes = await trees.compare(parent, candidate.tree);
    const laid = await layChanges(request, current, changes);
    if (laid.conflicts.length > 0) return describeConflict(candidate.id, laid.conflicts, changedBy);
    current = laid.tree;
    for (const { path } of changes) changedBy.set(path, [...(changedBy.get(path) ?? []), candidate.id]);
  }
  return succeed(current);
}

interface Laid {
  readonly tree: string;
  readonly conflicts: readonly BytePath[];
}

async function layChanges(request: ComposeRequest, current: string, changes: readonly EntryChange[]) {
  const edits = new Map<BytePath, Entry | null>();
  const conflicts: BytePath[] = [];
  for (const change of changes) {
    const ours = await request.trees.find(current, change.path);
    const merged = await mergeEntry(request, change, ours);
    if (merged === "conflict") conflicts.push(change.path);
    else edits.set(change.path, merged ?? null);
  }
  conflicts.push(...(await findFolderConflicts(request.trees, current, edits)));
  const tree = conflicts.length > 0 ? current : await request.trees.edit(current, edits);
  return { tree, conflicts } satisfies Laid;
}

async function mergeEntry(
  request: ComposeRequest,
  { from, to }: EntryChange,
  ours: Entry | undefined,
): Promise<Entry | undefined | "conflict"> {
  if (sameEntry(ours, from) || sameEntry(ours, to)) return to;
  if (from === undefined || to === undefined || ours === undefined) return "conflict";
  const mode = mergeValue(from.mode, to.mode, ours.mode);
  const id = mergeValue(from.id, to.id, ours.id) ?? (await mergeContent(request, from, to, ours));
  return mode === undefined || id === undefined ? "conflict" : { mode, id };
}

/** Returns the merged value; undefined if both sides changed it differently. */
function mergeValue(from: string, to: string, ours: string): string | undefined {
  if (ours === from || ours === to) return to;
  return to === from ? ours : undefined;
}

async function mergeContent(request: ComposeRequest, from: Entry, to: Entry, ours: Entry) {
  if ([from, to, ours].some((entry) => !entry.mode.startsWith("100"))) return undefined;
  const names = ["ours", "base", "theirs"];
  for (const [index, entry] of [ours, from, to].entries()) {
    writeFileSync(join(request.folder, names[index] ?? ""), await request.objects.read(entry.id));
  }
  // The exit code is the number of conflicts, up to 127; 255 means that the files are binary.
  const { exitCode, stdout } = await runGit({
    gitDirectory: request.gitDirectory,
    cwd: request.folder,
    arguments: ["merge-file", "--stdout", "--quiet", ...names],
    answers: Array.from({ length: 256 }, (_, code) => code),
  });
  return exitCode === 0 ? request.objects.write("blob", stdout) : undefined;
}

/** Finds files of `edits` at the path of a folder, or below a file. */
async function findFolderConflicts(
  trees: Trees,
  current: string,
  edits: ReadonlyMap<BytePath, Entry | null>,
): Promise<BytePath[]> {
  const added: BytePath[] = [];
  for (const [path, entry] of edits) {
    if (entry !== null && (await trees.find(current, path)) === undefined) added.push(path);
  }
  if (added.length === 0) return [];
  const remaining = await trees.list(current);
  for (const [path, entry] of edits) {
    if (entry === null) remaining.delete(path);
  }
  const folders = foldersOf([...remaining.keys(), ...added]);
  return added.filter(
    (path) => folders.has(path) || [...foldersOf([path])].some((folder) => remaining.has(folder)),
  );
}

function describeConflict(
  candidate: string,
  conflicts: readonly BytePath[],
  changedBy: ReadonlyMap<BytePath, readonly string[]>,
): Result<string, "conflict"> {
  const lines = [...new Set(conflicts)].map((path) => {
    const others = changedBy.get(path)?.join(", ") ?? "the base";
    return `${showPath(path)}: ${candidate} conflicts with ${others}`;
  });
  return fail("conflict", lines.join("; "));
}
