/** Writes new texts into the user's repository: all of them or none, even if the process is killed at any moment. */
import { fail, type Result, succeed } from "../base/result.ts";
import { type ApplyPlan, type ApplyStep, recoverApply } from "./apply-journal.ts";
import { carryOut, planStep } from "./apply-to-user-tree.ts";
import { type BytePath, hostPath } from "./byte-path.ts";
import { checkPath } from "./text-files.ts";
import { readFileOnce } from "./user-files.ts";

export interface TextChange {
  readonly path: string;
  /** The file's former name; absent if the file keeps its name. */
  readonly from?: string;
  /** The old text; undefined if the file did not exist. */
  readonly before: string | undefined;
  /** The new text; undefined to delete the file. */
  readonly after: string | undefined;
}

export interface WriteRequest {
  readonly repository: string;
  /** An existing folder of ours for the journal. `recoverApply` uses it to complete the work of a killed process. */
  readonly directory: string;
  readonly changes: readonly TextChange[];
}

type WriteFailure = "refused" | "changed-since" | "not-writable";

/**
 * Writes texts, and returns the paths of the written files. The files keep their modes. Fails and writes nothing if a
 * file may not be edited, if its text differs from `before`, or if the repository is not writable.
 */
export async function writeTexts(request: WriteRequest): Promise<Result<readonly string[], WriteFailure>> {
  const { repository, directory, changes } = request;
  await recoverApply(directory);
  const writes: Write[] = [];
  for (const change of changes) {
    const planned = planWrites(repository, change);
    if (!planned.ok) return planned;
    writes.push(...planned.value);
  }
  const targets = new Set(writes.filter(({ text }) => text !== undefined).map(({ path }) => path));
  const own = writes.filter(({ path, text }) => text !== undefined || !targets.has(path));
  const steps = own.map((write, index) => planStep(repository, write, index));
  const texts = new Map(own.map(({ shown, text }) => [shown, text]));
  const plan: ApplyPlan = { directory, repository, steps };
  const read = async (step: ApplyStep): Promise<Buffer> => Buffer.from(texts.get(step.shown) ?? "", "utf8");
  return carryOut(
    plan,
    read,
    own.map(({ shown }) => shown),
  );
}

interface Write {
  readonly shown: string;
  readonly path: BytePath;
  readonly exists: boolean;
  readonly mode: string | null;
  readonly text: string | undefined;
}

function planWrites(repository: string, change: TextChange): Result<Write[], WriteFailure> {
  const { path, from = path, before, after } = change;
  const source = checkPath(repository, from);
  const target = checkPath(repository, path);
  if (!source.ok) return source;
  if (!target.ok) return target;
  const old = readFileOnce(hostPath(repository, source.value), from);
  const isSame =
    old === undefined || typeof old === "string"
      ? old === undefined && before === undefined
      : before !== undefined && old.content.equals(Buffer.from(before, "utf8"));
  if (!isSame) return fail("changed-since", `${from} changed meanwhile, so nothing was written.`);
  const mode = typeof old === "object" ? old.mode : "100644";
  const isMoved = from !== path;
  const exists = isMoved
    ? readFileOnce(hostPath(repository, target.value), path) !== undefined
    : before !== undefined;
  const writes: Write[] = [
    { shown: path, path: target.value, exists, mode: after === undefined ? null : mode, text: after },
  ];
  if (isMoved) writes.push({ shown: from, path: source.value, exists: true, mode: null, text: undefined });
  return succeed(writes);
}
