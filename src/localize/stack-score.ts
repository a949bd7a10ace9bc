/** Scores statements by the failing tests' stack traces and names. */
import type { TestKey, TestOutcome } from "../domain/test-outcome.ts";
import type { PlacedFunction, ProgramMap } from "./program-map.ts";
import { splitWords } from "./terms.ts";

/** The weight of each frame relative to the one inside it. */
const frameDecay = 0.6;
/** The maximum share of a frame's score for a statement in its function, decreasing with distance in lines. */
const neighbourShare = 0.4;

/**
 * Scores each statement from 0 to 1 by the stack traces, as the mean over the failing tests. In a trace, the innermost
 * frame in the given files scores 1, and each outer frame less. These files exclude tests and libraries. Other
 * statements of a frame's function get a share of its score, less with distance.
 */
export function scoreStacks(program: ProgramMap, failing: readonly TestOutcome[]): number[] {
  const total = program.statements.map(() => 0);
  const functions = groupByFunction(program);
  for (const outcome of failing) {
    for (const [index, score] of scoreOneStack(program, functions, outcome)) {
      total[index] = (total[index] ?? 0) + score / failing.length;
    }
  }
  return total;
}

function scoreOneStack(
  program: ProgramMap,
  functions: ReadonlyMap<PlacedFunction, readonly number[]>,
  outcome: TestOutcome,
): Map<number, number> {
  const scores = new Map<number, number>();
  const raise = (index: number, score: number): void => {
    scores.set(index, Math.max(scores.get(index) ?? 0, score));
  };
  const neighbours = (index: number): readonly number[] => {
    const around = program.statements[index]?.function;
    return (around && functions.get(around)) ?? [];
  };
  let weight = 1;
  for (const frame of [...(outcome.failure?.frames ?? [])].reverse()) {
    const hit = program.at(frame.file, frame.line);
    for (const index of hit) {
      raise(index, weight);
      for (const near of neighbours(index)) {
        const distance = Math.abs((program.statements[near]?.statement.startLine ?? 0) - frame.line);
        if (near !== index) raise(near, (weight * neighbourShare) / (1 + distance / 4));
      }
    }
    if (hit.length > 0) weight *= frameDecay;
    if (weight < 0.01) break;
  }
  return scores;
}

function groupByFunction(program: ProgramMap): Map<PlacedFunction, number[]> {
  const groups = new Map<PlacedFunction, number[]>();
  program.statements.forEach(({ function: around }, index) => {
    // At the top level everything would be a neighbour.
    if (around.name === undefined) return;
    const group = groups.get(around);
    if (group === undefined) groups.set(around, [index]);
    else group.push(index);
  });
  return groups;
}

/**
 * Scores each statement from 0 to 1 by names. The score is the share of words that a failing test's name or file name
 * contains: three quarters for the function's name, one quarter for the file's. The test with the highest score counts.
 */
export function scoreNames(program: ProgramMap, failing: readonly TestOutcome[]): number[] {
  const words = failing.map((outcome) => wordsOfTest(outcome.key));
  const known = new Map<string, number>();
  return program.statements.map(({ file, function: { name } }) => {
    const key = `${file}:${name}`;
    const score = known.get(key) ?? Math.max(0, ...words.map((test) => overlap(file, name, test)));
    known.set(key, score);
    return score;
  });
}

function overlap(file: string, name: string | undefined, test: ReadonlySet<string>): number {
  const share = (words: readonly string[]): number =>
    words.length === 0 ? 0 : words.filter((word) => test.has(word)).length / words.length;
  const inFile = share(splitWords(file.slice(file.lastIndexOf("/") + 1).replace(/\.\w+$/, "")));
  return name === undefined ? 0.25 * inFile : 0.75 * share(splitWords(name)) + 0.25 * inFile;
}

function wordsOfTest(key: TestKey): Set<string> {
  // For a class with its package, `org.example.ShelfTest`, the end is not an extension.
  const base = key.target.slice(key.target.lastIndexOf("/") + 1).replace(/\.[a-z]\w*$/, "");
  return new Set(splitWords(`${base} ${key.name}`).filter((word) => !/^(tests?|spec|should)$/.test(word)));
}
