/** `bench mine judge`: lets a person judge the sample of a mined dataset in the terminal. */
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { z } from "zod";
import { readJsonl } from "../base/jsonl.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { tellReview } from "../mine/publish/card.ts";
import { checkReviewer, judgeTasks } from "../mine/publish/judge-sample.ts";

const sampleSchema = z.object({ id: z.string() });

/** Lets the person named `reviewer` judge the dataset's sample. Returns the exit code. */
export async function runJudge(
  dataset: string,
  { reviewer }: { readonly reviewer: string },
): Promise<number> {
  const folder = resolve(dataset);
  const sample = await readJsonl(join(folder, "sample.jsonl"));
  const input = createInterface({ input: process.stdin, terminal: false });
  const lines = input[Symbol.asyncIterator]();
  const write = (text: string) => void process.stdout.write(sanitizeForTerminal(text));
  try {
    const reviewed = await judgeTasks({
      ...{ folder, reviewer: checkReviewer(reviewer) },
      ids: sample.map((row) => sampleSchema.parse(row).id),
      show: (text) => write(`\n${text}\n`),
      async ask(question) {
        write(question);
        const { done, value } = await lines.next();
        return done === true ? undefined : value;
      },
    });
    write(`\n${tellReview(reviewed)}\nRun \`bench mine publish\` again to update card.md.\n`);
    return 0;
  } finally {
    input.close();
  }
}
