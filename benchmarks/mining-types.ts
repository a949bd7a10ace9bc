/**
 * Counts the primary types that mining gives to the tasks of a published benchmark. `npm run bench:mining-types --
 * TASKS.jsonl`: rows with `problem_statement` and `patch`.
 */
import { z } from "zod";
import { readJsonl } from "../src/base/jsonl.ts";
import { primaryTypes } from "../src/mine/contract.ts";
import { primaryType } from "../src/mine/review/primary-type.ts";

const taskSchema = z.object({ problem_statement: z.string(), patch: z.string() });
const tasks = (await readJsonl(process.argv[2] ?? "")).map((row) => taskSchema.parse(row));
const types = tasks.map(({ problem_statement: statement, patch }) =>
  primaryType({ statement, subject: "" }, { goldPatch: patch }),
);
for (const type of primaryTypes) {
  const count = types.filter((each) => each === type).length;
  console.log(
    `${type.padEnd(16)} ${count} of ${tasks.length} (${Math.round((100 * count) / tasks.length)} %)`,
  );
}
