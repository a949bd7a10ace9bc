/**
 * Repairs several independent faults. If a candidate repairs some of the failing tests and breaks none, it becomes the
 * base for the other repairs. Its measurements replace those of the earlier base. Tests that one candidate repairs
 * together count as tests of one fault.
 */

import type { Baseline } from "../../agent/measure/baseline.ts";
import type { Coverage } from "../../agent/measure/coverage.ts";
import { localizeFault } from "../../agent/measure/localize-fault.ts";
import { appendOnce } from "../../agent/record/once.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Phase } from "../../domain/run-event.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import type { TestFramework } from "../../languages/contract.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";
import { compareBehaviour } from "./agreement.ts";
import { type Choice, choosePlausible } from "./choose.ts";
import { judgeCandidate, judgeInStep, judgePartial, stepKey } from "./funnel.ts";
import { baselineAfter, moveCoverage } from "./moved-lines.ts";
import { openProposalQueue, type ProposalQueue } from "./proposals.ts";
import { type Judged, openSearch, type RunningSearch, type SearchEnd, type Tried } from "./search.ts";
import { findSimplerForm, noTime } from "./simpler-forms.ts";
import { findApart } from "./stated.ts";
import { groupByCoverage, rankForGroups } from "./test-groups.ts";

export interface RepairInput {
  readonly executorAt: (index: number) => Promise<TestExecutor>;
  readonly framework: TestFramework;
  readonly baseline: Baseline;
  readonly coverage: Coverage;
  readonly enter: (phase: Phase, title: string) => void;
}

/** The change that repairs one fault. */
export interface Part extends Judged {
  /** Ids of the failing tests that this part repairs in addition to earlier parts. */
  readonly turned: readonly string[];
}

/** A patch of one or more parts, with the candidate that contains all parts. */
export interface Repair extends Judged {
  readonly parts: readonly Part[];
}

export interface RepairEnd {
  readonly ranked: readonly RankedStatement[];
  readonly regions: TestRegions;
  readonly remarks: readonly string[];
  readonly tried: readonly Tried[];
  readonly limit: string | undefined;
  /** Candidates that pass all tests, best first, and the facts about the best one. */
  readonly choice: Choice;
  /**
   * The parts of the best candidate, if it has several. If no candidate repairs all failing tests: the parts of the
   * best partial repair.
   */
  readonly combined: Repair | undefined;
}

/** Maximum number of faults repaired in one run. */
const mostParts = 4;
/** The share of the remaining time for further rounds. The first round may still find a complete repair. */
const shareOfLaterRounds = 0.6;

interface Round {
  readonly number: number;
  readonly context: StrategyContext;
  readonly baseline: Baseline;
  readonly coverage: Coverage;
  readonly ranked: readonly RankedStatement[];
  readonly regions: TestRegions;
  readonly remarks: readonly string[];
  readonly queue: ProposalQueue;
  readonly search: RunningSearch;
}

/**
 * Localises and repairs the faults, one in each round. If the rounds do not repair all failing tests together,
 * continues the first round's search for a single complete repair.
 */
export async function repairFaults(context: StrategyContext, input: RepairInput): Promise<RepairEnd> {
  const rounds: Round[] = [];
  const open = async (of: Parameters<typeof openRound>[1]): Promise<Round> => {
    const round = await openRound(input, of);
    rounds.push(round);
    return round;
  };
  try {
    const first = await open({ number: 1, context, baseline: input.baseline, coverage: input.coverage });
    input.enter("repair", "try repairs, the likeliest first");
    const end = await first.search.run({ takesPartial: true });
    if (end.plausible.length > 0 || end.partial.length === 0) return await endAlone(input, first, [end]);
    const later = await repairRest(input, { ...first, end }, open);
    const whole = later.choice;
    const ends = [end, ...later.ends];
    if (whole !== undefined) return { ...tell(first, ends), choice: whole, combined: later.repair };
    const again = await first.search.run({ takesPartial: false });
    // Its own attempts are reported once.
    const all = [again, ...later.ends];
    if (again.plausible.length > 0) return await endAlone(input, first, all);
    return { ...tell(first, all), choice: mergeChoices([], later.choices), combined: later.repair };
  } finally {
    await Promise.all(rounds.map(({ queue }) => queue.close()));
  }
}

async function openRound(
  { executorAt, framework }: RepairInput,
  round: Pick<Round, "number" | "context" | "baseline" | "coverage"> & { readonly parent?: string },
): Promise<Round> {
  const { number, context, baseline, coverage, parent } = round;
  const { ranked: asOne, regions, remarks, testTexts } = await localizeFault(context, baseline, coverage);
  const groups = groupByCoverage(baseline.targets, coverage.tests);
  const ranked = rankForGroups(asOne, groups);
  if (number === 1) noteLocated(context, ranked);
  const failures = baseline.targets.flatMap((outcome) => outcome.failure ?? []);
  const queue = openProposalQueue(context, { ranked, failures, regions, testTexts });
  const { batch } = framework;
  const search = openSearch(context, {
    executorAt,
    round: number,
    ...(parent === undefined ? {} : { parent }),
    baseline,
    isOneGroup: groups.length < 2,
    batch,
    coverage: coverage.tests,
    queue,
  });
  return { ...round, ranked, regions, remarks, queue, search };
}

/** The number of statements that count as located. */
const mostLocated = 10;

function noteLocated({ recorder }: Pick<StrategyContext, "recorder">, ranked: readonly RankedStatement[]) {
  const places = ranked
    .slice(0, mostLocated)
    .map(({ file, startLine, endLine }) => ({ file, startLine, endLine }));
  if (places.length === 0) return;
  appendOnce(recorder, { event: "places-located", round: 0, action: "localize", places }, () => true);
}

function tell(
  { ranked, regions, remarks }: Round,
  ends: readonly SearchEnd[],
): Pick<RepairEnd, "ranked" | "regions" | "remarks" | "tried" | "limit"> {
  const tried = ends.flatMap((end) => end.tried);
  const limit = ends.map((end) => end.limit).find((each) => each !== undefined);
  return { ranked, regions, tried, limit, remarks: [...remarks, ...ends.flatMap((end) => end.remarks)] };
}

async function endAlone(input: RepairInput, round: Round, ends: readonly SearchEnd[]): Promise<RepairEnd> {
  const plausible = ends.flatMap((end) => end.plausible);
  if (plausible.length > 0) input.enter("verify", "verify the best patch");
  return {
    ...tell(round, ends),
    choice: await choose(input, round, round.baseline, plausible),
    combined: undefined,
  };
}

async function choose(
  { executorAt }: RepairInput,
  { context, regions, coverage }: Round,
  baseline: Baseline,
  plausible: readonly Judged[],
): Promise<Choice> {
  const executor = await executorAt(0);
  const compared = { executor, baseline, regions, coverage: coverage.tests, plausible };
  const agreements = await compareBehaviour(context, compared);
  const stated = await findApart(context, plausible);
  const simpler = new Map<Judged, string>();
  const unchecked = new Set<Judged>();
  const known = { agreements, stated, statement: context.task.statement, simpler, unchecked };
  for (let tries = 0; tries < mostChecked; tries += 1) {
    const [best] = choosePlausible(plausible, known).plausible;
    const says =
      best === undefined || simpler.has(best)
        ? undefined
        : await findSimplerForm(context, executor, baseline, best);
    if (best !== undefined && says === noTime) unchecked.add(best);
    if (best === undefined || says === undefined || says === noTime) break;
    simpler.set(best, says);
  }
  return choosePlausible(plausible, known);
}

/** Maximum number of patches for which simpler forms are tried, the best first. */
const mostChecked = 4;

interface Later {
  readonly ends: readonly SearchEnd[];
  /** The combined repair of the parts. */
  readonly repair: Repair | undefined;
  /** The choices of the parts, one for each part. */
  readonly choices: readonly Choice[];
  /** Present if the parts together repair all failing tests. */
  readonly choice: Choice | undefined;
}

/**
 * Takes the best partial repair as the base, and continues with the other tests. Ends if none is left, if no further
 * test can be repaired, or at a limit.
 */
async function repairRest(
  input: RepairInput,
  first: Round & { readonly end: SearchEnd },
  open: (of: Parameters<typeof openRound>[1]) => Promise<Round>,
): Promise<Later> {
  const context = withShareOfTime(first.context);
  const parts: Part[] = [];
  const choices: Choice[] = [];
  const ends: SearchEnd[] = [];
  const treeOf = new Map<string, string>();
  let round: Round = { ...first, context };
  let end = first.end;
  let combined: Repair | undefined;
  while (end.partial.length > 0 && parts.length < mostParts) {
    const taken = await takePartial(input, round, end.partial);
    if (taken === undefined) break;
    parts.push(...taken.parts);
    choices.push(...taken.choices);
    combined = combine(context, parts, taken.candidate.tree, input.baseline);
    treeOf.set(combined.candidate.id, taken.candidate.tree);
    const turned = taken.parts.flatMap((part) => part.turned);
    const changes = taken.parts.map(({ proposal }) => proposal);
    const baseline = baselineAfter(round.baseline, turned, changes);
    if (baseline.targets.length === 0) return endWhole(input, context, { parts, choices, ends, treeOf });
    if (isOver(context)) break;
    const left = countOf(baseline.targets.length, "more failing test");
    input.enter("localize", `locate the fault of ${left}`);
    round = await open({
      number: round.number + 1,
      context: { ...context, workspace: { ...context.workspace, base: taken.candidate.tree } },
      baseline,
      coverage: moveCoverage(round.coverage, changes),
      parent: combined.candidate.id,
    });
    input.enter("repair", `try repairs for ${left}, the likeliest first`);
    end = await round.search.run({ takesPartial: parts.length < mostParts });
    ends.push(end);
    if (end.plausible.length === 0) continue;
    const choice = await choose(input, round, round.baseline, end.plausible);
    const [best] = choice.plausible;
    if (best === undefined) break;
    parts.push({ ...best, turned: baseline.targets.map(({ key }) => formatTestKey(key)) });
    choices.push(choice);
    return endWhole(input, context, { parts, choices, ends, treeOf });
  }
  return { ends, repair: combined, choices, choice: undefined };
}

function withShareOfTime(context: StrategyContext): StrategyContext {
  const { limits } = context;
  const left = limits.remainingMs() * (1 - shareOfLaterRounds);
  if (!Number.isFinite(left)) return context;
  const remainingMs = (): number => Math.max(0, limits.remainingMs() - left);
  return { ...context, limits: { ...limits, remainingMs } };
}

/** True if a limit is reached, or the share of the time is used up. */
function isOver({ limits }: StrategyContext): boolean {
  return limits.exhausted() !== undefined || limits.remainingMs() === 0;
}

interface Taken {
  readonly parts: readonly Part[];
  readonly choices: readonly Choice[];
  /** The candidate with all parts. */
  readonly candidate: Pick<Candidate, "tree">;
}

/**
 * Takes the best candidate for each set of tests that it makes pass, the largest set first. Takes as many candidates as
 * it can combine.
 */
async function takePartial(
  input: RepairInput,
  round: Round,
  partial: readonly Judged[],
): Promise<Taken | undefined> {
  const { context, baseline } = round;
  const { trees, base } = context.workspace;
  const groups = [...Map.groupBy(partial, ({ verdict }) => JSON.stringify(verdict.turned)).values()].sort(
    (a, b) => (b[0]?.verdict.fixed ?? 0) - (a[0]?.verdict.fixed ?? 0),
  );
  let taken: Taken | undefined;
  for (const group of groups) {
    const had = new Set(taken?.parts.flatMap((part) => part.turned));
    const turned = group[0]?.verdict.turned.filter((id) => !had.has(id)) ?? [];
    if (turned.length === 0) continue;
    const own = baseline.targets.filter(({ key }) => turned.includes(formatTestKey(key)));
    const choice = await choose(input, round, { ...baseline, targets: own }, group);
    const [best] = choice.plausible;
    if (best === undefined) continue;
    if (taken === undefined) {
      taken = { parts: [{ ...best, turned }], choices: [choice], candidate: best.candidate };
      continue;
    }
    if (isOver(context)) break;
    const candidates = [...taken.parts, best].map(({ candidate: { parent: _, ...alone } }) => alone);
    const composed = await trees.compose(base, candidates, () => base);
    if (!composed.ok) continue;
    const verdict = await judgeTogether(input, round, composed.value);
    if (verdict === undefined) break;
    const all = new Set(verdict.turned);
    if (![...had, ...turned].every((id) => all.has(id))) continue;
    // Tests that need both belong to the later one.
    const more = verdict.turned.filter((id) => !had.has(id));
    taken = {
      parts: [...taken.parts, { ...best, turned: more }],
      choices: [...taken.choices, choice],
      candidate: { tree: composed.value },
    };
  }
  return taken;
}

async function judgeTogether({ executorAt }: RepairInput, { context, baseline }: Round, tree: string) {
  const options = { key: stepKey("judge-partial", tree, baseline), title: "all tests on several changes" };
  return judgeInStep(context, options, async () =>
    judgePartial(context, await executorAt(0), baseline, tree),
  );
}

/** Joins parts to one repair. Several parts may repair a test together. */
export function combine(
  { recorder }: StrategyContext,
  parts: readonly Part[],
  tree: string,
  baseline: Baseline,
): Repair {
  const [first] = parts;
  if (first === undefined) throw new Error("nothing to combine");
  const turned = [...new Set(parts.flatMap((part) => part.turned))];
  const isWhole = turned.length === baseline.targets.length;
  const together: Candidate = {
    id: `together-${parts.length}${isWhole ? "" : "-some"}`,
    tree,
    kind: "code",
    origin: parts.map((part) => part.candidate.origin).join("; "),
  };
  const candidate = parts.length === 1 ? first.candidate : together;
  // Progress calls it plausible.
  if (isWhole)
    appendOnce(
      recorder,
      { event: "candidate-created", candidate },
      (known) => known.candidate.id === candidate.id,
    );
  return {
    proposal: first.proposal,
    rank: first.rank,
    candidate,
    verdict: {
      verdict: isWhole ? "plausible" : "failing tests still fail",
      fixed: turned.length,
      turned,
      othersFixed: parts.reduce((sum, { verdict }) => sum + verdict.othersFixed, 0),
      broken: [],
    },
    parts,
  };
}

interface Whole {
  readonly parts: readonly Part[];
  readonly choices: readonly Choice[];
  readonly ends: readonly SearchEnd[];
  /** The trees of candidates that are the bases of parts. */
  readonly treeOf: ReadonlyMap<string, string>;
}

async function endWhole(input: RepairInput, context: StrategyContext, whole: Whole): Promise<Later> {
  input.enter("verify", `verify the changes for ${countOf(whole.parts.length, "fault")} together`);
  const { parts, tree } = await dropNeedless(input, context, whole);
  const repair = combine(context, parts, tree, input.baseline);
  const choice = mergeChoices([repair], whole.choices);
  return { ends: whole.ends, repair, choices: whole.choices, choice };
}

/** Derives the facts about a patch from those about its parts. */
export function mergeChoices(plausible: readonly Judged[], choices: readonly Choice[]): Choice {
  const reservations = choices.flatMap((choice) => choice.reservations ?? []);
  const isUnmeasured = choices.some((choice) => choice.reservations === undefined);
  return {
    plausible,
    doubts: [...new Set(choices.flatMap(({ doubts }) => doubts))],
    remarks: choices.flatMap(({ remarks }) => remarks),
    strongDoubts: [...new Set(choices.flatMap(({ strongDoubts }) => strongDoubts))],
    // A part that was not measured must not hide the reservations about another part.
    reservations: isUnmeasured && reservations.length === 0 ? undefined : reservations,
    // A repair at the statement's place supports the repairs of the other faults.
    apartFrom: choices.every(({ apartFrom }) => apartFrom !== undefined) ? choices[0]?.apartFrom : undefined,
  };
}

/** Drops parts without which all tests also pass. Such a part is an easy way to pass a few tests, not a repair. */
async function dropNeedless(
  { executorAt, baseline }: RepairInput,
  context: StrategyContext,
  { parts, treeOf }: Whole,
): Promise<{ parts: readonly Part[]; tree: string }> {
  const { trees, base } = context.workspace;
  const compose = (some: readonly Part[]) =>
    trees.compose(
      base,
      some.map(({ candidate }) => candidate),
      (id) => treeOf.get(id) ?? base,
    );
  let kept = parts;
  let tree = parts.at(-1)?.candidate.tree ?? base;
  const all = await compose(parts);
  if (all.ok) tree = all.value;
  for (const part of parts) {
    const others = kept.filter((each) => each !== part);
    if (others.length === 0 || isOver(context)) break;
    const composed = await compose(others);
    if (!composed.ok) continue;
    const without = composed.value;
    const options = {
      key: stepKey("without", without, baseline),
      title: "check whether each change is needed",
    };
    const verdict = await judgeInStep(context, options, async () =>
      judgeCandidate(context, await executorAt(0), baseline, without),
    );
    if (verdict === undefined) break;
    if (verdict.verdict !== "plausible") continue;
    // The other parts repair its tests together.
    kept = others.map((each) => ({ ...each, turned: [...new Set([...each.turned, ...part.turned])] }));
    tree = without;
  }
  return { parts: kept, tree };
}
