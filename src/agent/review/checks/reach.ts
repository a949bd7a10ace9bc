import { isTestFile } from "../../../languages/source-files.ts";
import type { TaskState } from "../../task-state.ts";
import { defineReviewCheck } from "../contract.ts";

const mostNamed = 5;

export default defineReviewCheck({
  name: "reach",
  description:
    "Names changed files that neither the statement, nor a location, nor a failing test's frames speak of.",
  async run({ change, task }, state) {
    const strangers = findStrangers(
      change.files.map(({ path }) => path),
      task.statement,
      state,
    );
    if (strangers.length === 0) return [];
    const more = strangers.length > mostNamed ? " …" : "";
    const names = strangers.slice(0, mostNamed).join(", ");
    return [
      {
        weight: "note",
        text: `It changes files that no location, failing test or sentence of the statement names: ${names}${more}.`,
      },
    ];
  },
});

/** None where no location was found yet: then nothing says what belongs to the task. */
export function findStrangers(
  paths: readonly string[],
  statement: string,
  { codePlaces, testPlaces, fault }: Pick<TaskState, "codePlaces" | "testPlaces" | "fault">,
): string[] {
  const frames = (fault?.baseRuns ?? []).flat().flatMap(({ failure }) => failure?.frames ?? []);
  if (codePlaces.length === 0) return [];
  const known = new Set([...codePlaces, ...testPlaces, ...frames].map(({ file }) => file));
  return paths.filter((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return !known.has(path) && !isTestFile(path) && !statement.includes(name);
  });
}
