/** The tool that ends the work. The agent submits a summary, and statements about tests, which the gate checks. */
import { z } from "zod";
import type { Aside } from "../../agent/candidates/put-aside.ts";
import { type AskedProgram, programsSchema } from "../../agent/candidates/shown-programs.ts";
import { leftOpenSchema } from "../../agent/state/left-open.ts";
import { type SaysWrong, saysWrongSchema } from "../../agent/state/says-wrong.ts";
import type { ThinkTool } from "../../agent/think/think.ts";

const aside = z
  .array(z.object({ test: z.string(), reason: z.string().min(20) }))
  .default([])
  .describe(
    "failing tests of the repository that Millwright linked to the fault, but that fail for another reason; also wrong standalone programs of this run, each by its file. Tests named here no longer count, and the report says so. You may name tests only if a test of yours shows the fault.",
  );

const because = z
  .string()
  .default("")
  .describe(
    "why the failures of your new tests on the unchanged code are those that the statement reports. Give it only if no name in these tests or their failures occurs in the statement. Your reason is an opinion, so a review must agree.",
  );

/** The agent's claims about tests and about unfinished parts, in addition to its summary. */
export interface SaidOfWork {
  readonly aside: readonly Aside[];
  readonly because: string;
  readonly saysWrong: SaysWrong;
  readonly programs: readonly AskedProgram[];
  /** The parts left undone; undefined if this call does not contain the claim. */
  readonly leftOpen: readonly string[] | undefined;
}

/**
 * Returns the tool that submits work. `onSummary` gets the agent's summary. `ask` returns the gate's unmet conditions.
 * It returns undefined if there are none, or if the agent submits the same work again; the work then ends.
 */
export function submitTool(
  onSummary: (summary: string) => void,
  ask?: (said: SaidOfWork) => Promise<string | undefined>,
): ThinkTool<true> {
  const plain = z.object({
    summary: z
      .string()
      .default("")
      .describe(
        "the change and its reason, in a sentence, for the report; if no change is needed, the evidence",
      ),
  });
  const whole = plain.extend({
    programs: programsSchema.describe(
      `${programsSchema.description ?? ""}. Millwright runs them without and with your change, and does not deliver them.`,
    ),
    notTheFault: aside,
    because,
    saysWrong: saysWrongSchema,
    leftOpen: leftOpenSchema,
  });
  const input = ask === undefined ? plain : whole;
  const asks =
    ask === undefined
      ? ""
      : " The gate judges the files first. If a condition does not hold, the reply names it. Then continue, or submit again unchanged.";
  return {
    name: "submit",
    description: `Ends the work and submits the repository's files as they are now.${asks}`,
    input,
    async run(asked) {
      const said = whole.parse(asked);
      onSummary(said.summary.trim());
      const against = await ask?.({ ...said, aside: said.notTheFault, leftOpen: said.leftOpen });
      if (against === undefined) return { text: "Submitted.", end: true };
      return {
        text: `Not submitted yet. The gate reports:\n${against}\nContinue, or call \`submit\` again to submit the work unchanged.`,
        isError: true,
      };
    },
  };
}
