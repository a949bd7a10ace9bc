/** Reads and makes a dataset's versions. Each version lists the added and the retired tasks. */
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { readJsonl } from "../../base/jsonl.ts";
import { taskIdSchema } from "../../bench/task.ts";

const retiredSchema = z.object({
  id: taskIdSchema,
  /** The cause. `left-out`: the rules no longer select the task. Any other cause is final. */
  cause: z.string(),
  detail: z.string(),
});
export type Retired = z.infer<typeof retiredSchema>;

const versionSchema = z.object({
  schema: z.literal("millwright.mine-version/1"),
  version: z.int().positive(),
  /** The newest commit that Millwright read. */
  head: z.string(),
  tasks: z.int(),
  added: z.array(taskIdSchema),
  retired: z.array(retiredSchema),
  /** The hash of the tasks and their hidden parts. */
  sha256: z.string(),
});
export type Version = z.infer<typeof versionSchema>;

const leftOut = "left-out";

const pathIn = (folder: string): string => join(folder, "versions.jsonl");

export async function readVersions(folder: string): Promise<Version[]> {
  return (await readJsonl(pathIn(folder))).map((line) => versionSchema.parse(line));
}

/** Lists permanently retired tasks, with the causes. Omits tasks that the rules may select again. */
export function retiredIn(versions: readonly Version[]): Retired[] {
  return versions.flatMap(({ retired }) => retired.filter(({ cause }) => cause !== leftOut));
}

/**
 * Returns the next version; undefined if the tasks are the same as in the last version. `retired`: the causes for
 * removed tasks.
 */
export function nextVersion(
  versions: readonly Version[],
  now: { readonly ids: readonly string[]; readonly head: string; readonly sha256: string },
  retired: readonly Retired[],
): Version | undefined {
  const last = versions.at(-1);
  if (last?.sha256 === now.sha256) return undefined;
  const before = new Set<string>();
  for (const each of versions) {
    for (const { id } of each.retired) before.delete(id);
    for (const id of each.added) before.add(id);
  }
  const ids = new Set(now.ids);
  const causes = new Map(retired.map((each) => [each.id, each]));
  return {
    schema: "millwright.mine-version/1",
    version: (last?.version ?? 0) + 1,
    head: now.head,
    tasks: now.ids.length,
    added: now.ids.filter((id) => !before.has(id)),
    retired: [...before]
      .filter((id) => !ids.has(id))
      .map(
        (id) =>
          causes.get(id) ?? { id, cause: leftOut, detail: "the dataset's rules no longer select the task" },
      ),
    sha256: now.sha256,
  };
}

export async function writeVersions(folder: string, versions: readonly Version[]): Promise<void> {
  const lines = versions.map((each) => `${JSON.stringify(each)}\n`);
  await writeFileAtomically(pathIn(folder), lines.join(""), 0o666);
}
