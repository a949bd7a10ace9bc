import { countOf, eachOf, wordFor } from "../../../base/count.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";
import { nameMutant, survivorsOf, type TriedMutants, tryMutants } from "../measured/tried-mutants.ts";

const mostNamed = 4;

export default defineReviewCheck({
  name: "mutants",
  description:
    "Inserts small faults into the changed lines (mutants). If all tests pass with a mutant, a test is missing.",
  async run(context, state, candidate) {
    // The gate of this kind has already tried mutants of the whole target.
    if (context.task.kind === "code-generation") return [];
    const tried = await tryMutants(context, state, candidate);
    if (tried === undefined) return [];
    return typeof tried === "string" ? [{ weight: "note", text: tried }] : describeMutants(tried);
  },
});

export function describeMutants(all: TriedMutants): Finding[] {
  const count = (wanted: TriedMutants["verdicts"][number]): number =>
    all.verdicts.filter((verdict) => verdict === wanted).length;
  const surviving = survivorsOf(all);
  const tried = count("noticed") + surviving.length;
  const left = count("unknown") === 0 ? "" : ` (${count("unknown")} more were not run for lack of time)`;
  if (tried === 0) {
    const why = left === "" ? "could be built" : "was run, for lack of time";
    return [
      {
        weight: "note",
        text: `None of ${countOf(all.mutants.length, "mutant")} of the changed lines ${why}.`,
        isForPeople: true,
      },
    ];
  }
  if (surviving.length === 0)
    return [
      {
        weight: "note",
        text: `The tests detect ${eachOf(tried, "mutant")} of the changed lines${left}.`,
        mutants: { tried, noticed: tried },
      },
    ];
  const named = surviving.slice(0, mostNamed).map(nameMutant);
  const more = surviving.length > mostNamed ? ` and ${surviving.length - mostNamed} more` : "";
  return [
    {
      weight: "doubt",
      text: `${surviving.length} of ${countOf(tried, "mutant")} of the changed lines ${wordFor(surviving.length, "passes", "pass")} every test that ran, so none of these tests detects ${wordFor(surviving.length, "it", "them")}: ${named.join("; ")}${more}${left}.`,
      mutants: { tried, noticed: tried - surviving.length },
    },
  ];
}
