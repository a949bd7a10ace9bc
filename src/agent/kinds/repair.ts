/** The rules of `repair` and `partial-fix`: the tests that show the fault pass, and no passing test breaks. */
import { measureCandidate } from "../measure/run-candidate.ts";
import { claimOfFault } from "./claim-of-fault.ts";
import type { KindRules, Step } from "./contract.ts";
import { findCounted, judgeRepair } from "./repair-gate.ts";
import { tellUnshown } from "./unshown-fault.ts";
import { askAsTheyWere } from "./wrong-tests.ts";

const gate =
  "A test fails without the patch for the stated reason, and passes with the patch. No previously passing test breaks.";
const way: readonly Step[] = [
  { action: "code-retrieval", text: "find the places that matter, unless the task names them" },
  { action: "reproduction", text: "see a test fail for the stated reason, unless a test already does" },
  { action: "edit-code", text: "change the code" },
  {
    text: "if the tests fail, find the reason, then change the candidate, or start again from the base with another idea",
  },
  {
    action: "review-patch",
    text: "when the tests pass, have the candidate reviewed, and fix the problems that measurements show",
  },
  { action: "finish", text: "propose the candidate" },
];

export const repair: KindRules = {
  kinds: ["repair"],
  delivers: "code",
  parts: [
    {
      name: "patch",
      kind: "code",
      files: "code",
      guidance:
        "Make the smallest change that fixes the cause in general, not only for the tests' inputs. Do not change tests.",
    },
  ],
  isSpecified: false,
  goal: gate,
  way,
  verified: "The tests that show the fault pass with the patch, and no other test breaks.",
  measure: measureCandidate,
  async judge(context, state, candidate) {
    const measured = await measureCandidate(context, state, candidate, "all");
    const row = measured.ok ? measured.value : undefined;
    const { fault } = state;
    const asked = row === undefined ? undefined : await askAsTheyWere(context, state, candidate, row);
    const input = {
      baseRuns: fault?.baseRuns ?? [],
      targets: fault?.targets ?? [],
      heldBack: fault?.heldBack ?? [],
      reason: fault?.reason ?? {
        holds: false,
        evidence: tellUnshown(context.suite.outcomes, context.task.statement),
      },
      base: [...context.suite.outcomes, ...(fault?.guards ?? [])],
      candidate: row?.outcomes ?? [],
      isCandidateCut: row?.isCut === true,
      invalid: measured.ok ? measured.value.invalid : measured.message,
      ...(asked === undefined ? {} : { asked }),
    };
    const { wrong = [], awaiting = [] } = asked ?? {};
    const { broken } = findCounted(input);
    return { gate: judgeRepair(input), row, wrong, broken, awaiting };
  },
  claim: claimOfFault,
};

export const partialFix: KindRules = {
  ...repair,
  kinds: ["partial-fix"],
  goal: `${gate} A given attempt may be wrong, or change the wrong place. Find the cause yourself, and keep only the correct parts of the attempt.`,
};
