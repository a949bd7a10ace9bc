import { dialectOf } from "../../../syntax/dialects/index.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";
import { listMutants, type Mutant } from "../list-mutants.ts";
import { planMutants } from "../plan-mutants.ts";
import { type MutantVerdicts, runMutants } from "../run-mutants.ts";

const most = 12;
const mostNamed = 4;

export default defineReviewCheck({
  name: "mutants",
  description: "Makes small faults in the changed lines: one that every test passes asks for a test.",
  async run(context, state, candidate) {
    const plan = await planMutants(context, state, candidate);
    if (plan === undefined) return [];
    const { tree, tests, places } = plan;
    const mute = places.filter(({ language }) => dialectOf(language.name) === undefined);
    if (mute.length === places.length)
      return [{ weight: "note", text: `No mutants are made in ${mute[0]?.language.name}.` }];
    if (tests.length === 0)
      return [{ weight: "note", text: "No test passes near the change, so no mutants were tried." }];
    const mutants = await listMutants(places, most);
    if (mutants.length === 0) return [];
    return describeMutants(mutants, await runMutants(context, { tree, tests, mutants }));
  },
});

export function describeMutants(mutants: readonly Mutant[], verdicts: MutantVerdicts): Finding[] {
  const count = (wanted: MutantVerdicts[number]): number =>
    verdicts.filter((verdict) => verdict === wanted).length;
  const surviving = mutants.filter((_, index) => verdicts[index] === "survives");
  const tried = count("noticed") + surviving.length;
  const left = count("unknown") === 0 ? "" : ` (${count("unknown")} more were not run for lack of time)`;
  if (tried === 0) return [{ weight: "note", text: `No mutant of the changed lines could be tried${left}.` }];
  if (surviving.length === 0)
    return [
      { weight: "note", text: `The tests notice each of ${tried} mutants of the changed lines${left}.` },
    ];
  const named = surviving
    .slice(0, mostNamed)
    .map(({ file, line, description }) => `${file}:${line} (${description})`);
  const more = surviving.length > mostNamed ? ` and ${surviving.length - mostNamed} more` : "";
  return [
    {
      weight: "doubt",
      text: `${surviving.length} of ${tried} mutants of the changed lines pass every test that was asked, so no test speaks of them: ${named.join("; ")}${more}${left}.`,
    },
  ];
}
