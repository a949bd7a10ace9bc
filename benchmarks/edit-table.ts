/** Renders the results of replies, by kind of corruption and by method of editing. */

export interface EditTrial {
  readonly kind: string;
  readonly id: string;
  readonly language: string;
  readonly path: string;
  readonly reply: string;
  readonly before: string;
  readonly expected: string;
  /** All files that the edit could mean. */
  readonly files: Readonly<Record<string, string>>;
}

/** The files that were changed, or why none was. */
export interface Answer {
  readonly files?: Readonly<Record<string, string>>;
  readonly why?: string;
}

export type Verdict = "right" | "wrong" | "refused";

export function verdictOf(trial: EditTrial, answer: Answer): Verdict {
  if (answer.files === undefined) return "refused";
  const isRight = Object.entries(answer.files).every(([path, text]) =>
    path === trial.path ? text === trial.expected : text === trial.files[path],
  );
  return isRight && answer.files[trial.path] === trial.expected ? "right" : "wrong";
}

export function renderTable(
  trials: readonly EditTrial[],
  columns: Readonly<Record<string, readonly Answer[]>>,
  references: readonly string[],
): string {
  const names = Object.keys(columns);
  const kinds = [...new Set(trials.map(({ kind }) => kind))];
  const header = `| kind | replies | ${names.map((name) => `${name}: right | wrong | refused`).join(" | ")} |`;
  const rule = `|${" --- |".repeat(2 + names.length * 3)}`;
  const rows = kinds.map((kind) => renderRow(kind, trials, columns, (trial) => trial.kind === kind));
  const all = renderRow("all corrupted", trials, columns, ({ kind }) => !references.includes(kind));
  const languages = [...new Set(trials.map(({ language }) => language))].map((language) =>
    renderRow(
      language,
      trials,
      columns,
      (trial) => trial.language === language && !references.includes(trial.kind),
    ),
  );
  return `${[header, rule, ...rows, all, ...languages].join("\n")}\n`;
}

function renderRow(
  name: string,
  trials: readonly EditTrial[],
  columns: Readonly<Record<string, readonly Answer[]>>,
  belongs: (trial: EditTrial) => boolean,
): string {
  const indexes = trials.flatMap((trial, index) => (belongs(trial) ? [index] : []));
  const cells = Object.values(columns).map((answers) => {
    const counts = { right: 0, wrong: 0, refused: 0 };
    for (const index of indexes) {
      const [trial, answer] = [trials[index], answers[index]];
      if (trial !== undefined && answer !== undefined) counts[verdictOf(trial, answer)]++;
    }
    const share = (count: number): string => `${((100 * count) / Math.max(1, indexes.length)).toFixed(2)} %`;
    return `${share(counts.right)} | ${share(counts.wrong)} | ${share(counts.refused)}`;
  });
  return `| ${name} | ${indexes.length} | ${cells.join(" | ")} |`;
}
