/** The ledger of a mining folder: a line for each verdict of each step, appended once and never changed. */
import { join } from "node:path";
import { z } from "zod";
import { openJsonlWriter, readJsonl } from "../base/jsonl.ts";
import { verdictSchema } from "./contract.ts";

const lineSchema = z.object({
  schema: z.literal("millwright.mine-ledger/1"),
  step: z.string(),
  candidate: z.string(),
  commit: z.string(),
  language: z.string(),
  verdict: verdictSchema,
  /** The cause of a drop or an error as a kebab-case word. `detail`: a sentence. */
  cause: z.string().optional(),
  detail: z.string().optional(),
  /** The key of the job that decided. */
  key: z.string(),
});
export type LedgerLine = Omit<z.infer<typeof lineSchema>, "schema">;

export interface Ledger {
  readonly path: string;
  /** Writes the line. Writes it only once, even if the step runs again. */
  note(line: LedgerLine): void;
  close(): void;
}

export async function openLedger(folder: string): Promise<Ledger> {
  const path = join(folder, "ledger.jsonl");
  const known = new Set((await readJsonl(path)).map((line) => identify(lineSchema.parse(line))));
  const writer = openJsonlWriter(path);
  return {
    path,
    note(line) {
      const id = identify(line);
      if (known.has(id)) return;
      known.add(id);
      // Results are synced; after a power failure, the same command writes the missing lines.
      writer.append({ schema: "millwright.mine-ledger/1", ...line }, true);
    },
    close: () => writer.close(),
  };
}

function identify({ step, candidate, key, verdict, cause = "" }: LedgerLine): string {
  return [step, candidate, key, verdict, cause].join(" ");
}
