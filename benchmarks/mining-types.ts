/**
 * Counts the primary types and the challenges that mining gives to the tasks of a published benchmark. `npm run
 * bench:mining-types -- TASKS.jsonl`: rows with `problem_statement` and `patch`. If people gave the rows a
 * `primary_type`, also prints the agreement.
 */
import { z } from "zod";
import { readJsonl } from "../src/base/jsonl.ts";
import { isSourceFile } from "../src/languages/source-files.ts";
import { primaryTypes } from "../src/mine/contract.ts";
import { challengeOf, challenges } from "../src/mine/review/challenge.ts";
import { primaryType } from "../src/mine/review/primary-type.ts";

const taskSchema = z.object({
  problem_statement: z.string(),
  patch: z.string(),
  primary_type: z.enum(primaryTypes).optional(),
});
const tasks = (await readJsonl(process.argv[2] ?? "")).map((row) => taskSchema.parse(row));
const types = tasks.map(({ problem_statement: statement, patch }) =>
  primaryType({ statement, subject: "" }, { goldPatch: patch }),
);
const made = tasks.map(({ problem_statement: statement, patch }) => {
  const codeFiles = [...patch.matchAll(/^\+\+\+ b\/(.*)$/gm)].flatMap(([, path = ""]) => path);
  return challengeOf(
    { statement, subject: "" },
    { goldPatch: patch, codeFiles: codeFiles.filter(isSourceFile) },
  );
});
print(primaryTypes, types);
print(challenges, made);
const pairs = tasks.flatMap(({ primary_type: type }, at) => (type === undefined ? [] : [type === types[at]]));
if (pairs.length > 0)
  console.log(`the type is that of the people in ${pairs.filter(Boolean).length} of ${pairs.length}`);

function print(names: readonly string[], found: readonly string[]): void {
  for (const name of names) {
    const count = found.filter((each) => each === name).length;
    console.log(
      `${name.padEnd(16)} ${count} of ${tasks.length} (${Math.round((100 * count) / tasks.length)} %)`,
    );
  }
}
