/** Makes the sections of a report about the labels that people gave. */
import { type LabelFiles, type LabelSummary, subjects, summariseLabels } from "./labels.ts";
import { percent, type Section } from "./report-sections.ts";
import type { NamedArm } from "./reported-arms.ts";

export function summariseNamed(named: readonly NamedArm[], files: LabelFiles): LabelSummary[] {
  return summariseLabels(
    named.map(({ arm, name }) => ({ name, tries: arm.tries })),
    files,
  );
}

export function labelSections(named: readonly NamedArm[], files: LabelFiles | undefined): Section[] {
  if (files === undefined) return [];
  const summaries = summariseNamed(named, files);
  if (summaries.length > 0) return summaries.map(tellLabels);
  return [{ title: "Labels by people", texts: ["No item has a label yet: each `label` is null."] }];
}

export function tellLabels({ subject, arms, people, agreement, marked, open }: LabelSummary): Section {
  const rows = arms.flatMap(({ name, decided, open: left, counts }) =>
    counts.map(({ label, count, interval: { low, high } }) => [
      ...[name, label, String(count), String(decided)],
      ...(decided === 0 ? ["–", "–"] : [percent(count / decided), `${percent(low)} to ${percent(high)}`]),
      String(left),
    ]),
  );
  const pairs = agreement.map(({ first, second, items, agreed, kappa }) => [
    ...[`${first}, ${second}`, String(items), items === 0 ? "–" : percent(agreed / items)],
    kappa === undefined ? "–" : kappa.toFixed(2),
  ]);
  return {
    title: `Labels by people: ${subject}`,
    texts: [
      people === 1
        ? `Without seeing the arm and the verdict, one person labelled ${subjects[subject].name}. The shares are this person's opinion: no second person checked the labels.`
        : `Without seeing the arm and the verdict, ${people} people labelled ${subjects[subject].name}. A label counts if all people gave it, or if their consensus names it.`,
    ],
    tables: [
      { head: ["arm", "label", "items", "of decided", "%", "95 % interval", "not decided"], rows },
      ...(pairs.length === 0
        ? []
        : [{ head: ["people", "items of both", "agree, %", "Cohen's kappa"], rows: pairs }]),
    ],
    list: [
      ...marked.map(({ arm, label, id, run }) => `${arm}: ${label}: ${id} (${run})`),
      ...open.map((item) => `not decided: ${item}`),
    ],
  };
}
