/** Selects the tests most relevant to the files of the failing tests, if not all tests can run. */
import { basename, extname } from "node:path";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { ProjectView } from "../../languages/contract.ts";

export interface RelatedOptions {
  /** Targets that are already chosen. */
  readonly known: ReadonlySet<string>;
  /** Maximum milliseconds of the chosen tests, by their times on the base. */
  readonly budgetMs: number;
  /** Further names to search for, because a package's tests may import its index instead of the file. */
  readonly names?: readonly string[];
}

/** Returns the targets of the tests, each once. A target is the unit that a framework loads, such as a file. */
export function targetsOf(outcomes: readonly TestOutcome[]): string[] {
  return [...new Set(outcomes.map((outcome) => outcome.key.target))];
}

/**
 * Lists targets with passing tests that mention a file's name (without extension) or one of `names`, in their text or
 * path. Names such as `index` do not count. Targets that mention rare names come first. Omits `known` targets, and
 * those beyond the budget. If a target is not a file, searches only its path.
 */
export function listRelatedTargets(
  outcomes: readonly TestOutcome[],
  files: ReadonlySet<string>,
  project: ProjectView,
  { known, budgetMs, names = [] }: RelatedOptions,
): string[] {
  const stems = [...new Set([...[...files].map(stemOf), ...names])].filter((stem) => !commonStems.has(stem));
  const costs = costByTarget(outcomes);
  const mentions = [...costs.keys()].map((target) => {
    const text = `${target} ${project.read(target) ?? ""}`;
    return { target, stems: stems.filter((stem) => mentionsWord(text, stem)) };
  });
  const frequency = new Map(
    stems.map((stem) => [stem, mentions.filter((each) => each.stems.includes(stem)).length]),
  );
  const related = mentions
    .filter(({ target, stems }) => !known.has(target) && stems.length > 0)
    .map((each) => ({ ...each, weight: sum(each.stems.map((stem) => 1 / (frequency.get(stem) ?? 1))) }))
    .sort((a, b) => b.weight - a.weight || (a.target < b.target ? -1 : 1));
  let left = budgetMs;
  return related
    .filter(({ target }) => {
      const cost = costs.get(target) ?? 0;
      if (cost > left) return false;
      left -= cost;
      return true;
    })
    .map(({ target }) => target);
}

/** File names that say little. The folder's name is more informative. */
const commonStems = new Set(["index", "main", "mod", "lib", "__init__", "__main__"]);

function stemOf(file: string): string {
  return basename(file, extname(file));
}

function mentionsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? ""}${text[at + word.length] ?? ""}`;
    if (!/[A-Za-z0-9]/.test(around)) return true;
  }
  return false;
}

function costByTarget(outcomes: readonly TestOutcome[]): Map<string, number> {
  const costs = new Map<string, number>();
  for (const { key, durationMs, status } of outcomes) {
    if (status === "passed") costs.set(key.target, (costs.get(key.target) ?? 0) + durationMs);
  }
  return costs;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
