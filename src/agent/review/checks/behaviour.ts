import { z } from "zod";
import { countOf, eachOf, wordFor } from "../../../base/count.ts";
import { hashData } from "../../../base/hash.ts";
import { formatTestKey, isFailing, type TestKey } from "../../../domain/test-outcome.ts";
import type { Comparison } from "../../../languages/contract.ts";
import { findFramework } from "../../../languages/find-framework.ts";
import { isCodeFile } from "../../../languages/source-files.ts";
import { type Agreement, weighAgreement } from "../../../repair/agreement.ts";
import { compareVersions } from "../../measure/compare-behaviour.ts";
import { testTimeoutOf } from "../../measure/measure-suite.ts";
import { cutSchema, limitedStep, type Reached } from "../../record/limited-step.ts";
import { treeOfWritten } from "../../state/tree-of-written.ts";
import { defineReviewCheck, type Finding, type ReviewContext } from "../contract.ts";
import { nearTests } from "../measured/near-tests.ts";

/** Milliseconds for the whole comparison. */
const timeoutMs = 60_000;
/** Rounds of tests with changed literals; each costs a start and yields a few inputs. */
const rounds = 2;
/** Maximum characters of the reason why there is no comparison. */
const longestReason = 300;

const measuredSchema = z.object({
  inputs: z.int(),
  trusted: z.int(),
  kept: z.int(),
  broken: z.int(),
  /**
   * Number of passing tests with a changed literal, and how many of them give equal results on both trees. Absent in
   * older records.
   */
  near: z.int().default(0),
  nearKept: z.int().default(0),
  /** The number of inputs on which base and patch differ. */
  differing: z.int(),
  /**
   * Counts for the failing tests' inputs (`given`) and for inputs made from tests (`made`). `differing`: those on which
   * base and patch differ.
   */
  given: z.object({ inputs: z.int(), differing: z.int() }).optional(),
  made: z.object({ inputs: z.int(), differing: z.int() }).optional(),
  /** An input on which base and patch differ, although the base is probably right. */
  example: z.object({ base: z.string(), patch: z.string() }).optional(),
});
type Measured = z.infer<typeof measuredSchema>;
const comparedSchema = z.object({
  measured: measuredSchema.optional(),
  /** The reason why there is no comparison. */
  because: z.string().optional(),
  ...cutSchema,
});
type Compared = z.infer<typeof comparedSchema>;

/**
 * The figures of a comparison that a time limit ended, for a replay. Keeps the recorded figures unless the repetition
 * has other findings.
 */
export const reachedComparison: Reached<Compared> = {
  of: (compared, isCut) => (isCut ? compared : undefined),
  only(compared, recorded) {
    const known = comparedSchema.safeParse(recorded).data;
    if (known === undefined) return compared;
    return kindOf(known) === kindOf(compared) ? known : compared;
  },
};

export default defineReviewCheck({
  name: "behaviour",
  description:
    "Runs the changed functions of base and patch on the arguments that tests give them, and on similar arguments.",
  async run(context, state, candidate) {
    // The base says nothing about a target that does not exist yet.
    if (candidate.kind !== "code" || context.task.kind === "code-generation") return [];
    const framework = findFramework(context.frameworks, context.suite.command);
    const files = context.change.files.flatMap(({ path, after, isTest }) =>
      isCodeFile(path) && !isTest && after !== undefined ? [{ path, content: after }] : [],
    );
    if (files.length === 0) return [];
    const tests = await nearTests(context, state);
    const failing = [...(state.fault?.targets ?? []), ...failingOnBase(context)];
    const options = {
      key: `behaviour:${candidate.tree}:${hashData(tests.map(formatTestKey))}`,
      title: "compare base and patch on further inputs",
      schema: comparedSchema,
      usualMs: timeoutMs,
      reached: reachedComparison,
    };
    const compared = await limitedStep<Compared>(context, options, async (timeMs) => {
      let isCut = false;
      const onCut = (): void => {
        isCut = true;
      };
      const found = await compareVersions({
        ...{ workspace: context.workspace, executor: context.executor, regions: context.regions },
        ...{ framework, command: context.suite.command, tests, failing, timeMs, onCut },
        // The calls in reproductions are inputs too.
        tree: await treeOfWritten(context.workspace, state),
        versions: [{ id: 1, files }],
        rounds,
        testTimeoutMs: testTimeoutOf(context.suite),
      });
      const read = readComparison(found);
      const because = found.invalid ?? "the patched functions could not run by themselves";
      return read === undefined
        ? { result: { because }, isCut: true }
        : { result: { measured: read }, isCut };
    });
    return findingsOf(compared);
  },
});

function findingsOf({ measured, because = "" }: Compared): Finding[] {
  return measured === undefined ? [notDone(because)] : describeComparison(measured);
}

/** Describes the findings of a comparison, without its figures. */
function kindOf(compared: Compared): string {
  const { broken = 0 } = compared.measured ?? {};
  const findings = findingsOf(compared).map(({ weight, isNarrow = false }) => [weight, isNarrow]);
  return JSON.stringify([compared.measured !== undefined, broken > 0, findings]);
}

function notDone(because: string): Finding {
  const why = because.replaceAll(/\s+/g, " ").slice(0, longestReason);
  return {
    ...{ weight: "note", isForPeople: true },
    text: `Millwright did not compare base and patch on further inputs: ${why}.`,
  };
}

function failingOnBase({ suite }: Pick<ReviewContext, "suite">): TestKey[] {
  return suite.outcomes.filter(({ status }) => isFailing(status)).map(({ key }) => key);
}

export function readComparison(comparison: Comparison): Measured | undefined {
  const agreement: Agreement | undefined = weighAgreement(comparison).get(1);
  const base = comparison.behaviours.get(0);
  const patch = comparison.behaviours.get(1);
  if (agreement === undefined || base === undefined || patch === undefined) return undefined;
  const { inputs, trusted, kept, near, nearKept, broken } = agreement;
  const differs = comparison.origins.flatMap((origin, at) =>
    base[at] === patch[at] ? [] : [{ origin, at }],
  );
  const example = differs.find(({ origin }) => origin === "passing");
  return {
    inputs,
    trusted,
    kept,
    near,
    nearKept,
    broken,
    differing: differs.length,
    given: count(comparison, differs, "failing"),
    made: count(comparison, differs, "derived"),
    ...(example === undefined
      ? {}
      : { example: { base: shorten(base[example.at]), patch: shorten(patch[example.at]) } }),
  };
}

function count(
  { origins }: Comparison,
  differs: readonly { readonly origin: Comparison["origins"][number] }[],
  wanted: Comparison["origins"][number],
): { readonly inputs: number; readonly differing: number } {
  return {
    inputs: origins.filter((origin) => origin === wanted).length,
    differing: differs.filter(({ origin }) => origin === wanted).length,
  };
}

/** Minimum number of inputs made from tests. With fewer inputs, equal results mean nothing. */
const enoughMade = 10;

function shorten(behaviour = "nothing"): string {
  const said = behaviour.startsWith("v") || behaviour.startsWith("e") ? behaviour.slice(1) : behaviour;
  return said.length > 80 ? `${said.slice(0, 79)}…` : said;
}

export function describeComparison({
  inputs,
  trusted,
  kept,
  near,
  nearKept,
  broken,
  differing,
  given,
  made,
  example,
}: Measured): Finding[] {
  const on = `On ${countOf(inputs, "input")} from tests, and variations of them`;
  if (broken > 0)
    return [
      {
        weight: "doubt",
        text: `${on}, the patch hangs or ends the process ${countOf(broken, "time")}, but the base does not.`,
      },
    ];
  if (kept < trusted) {
    const one =
      example === undefined
        ? ""
        : `; on one of them the base gives ${example.base} and the patch ${example.patch}`;
    return [
      {
        weight: "doubt",
        text: `${on}, the patch behaves differently on ${trusted - kept} of ${countOf(trusted, "input")} on which the base is trusted${one}.`,
      },
    ];
  }
  if (given !== undefined && given.differing > 0 && made?.differing === 0 && made.inputs >= enoughMade)
    return [
      {
        weight: "doubt",
        text: `${on}, the patch changes the results of ${countOf(given.differing, "input")} of the failing tests, but of none of ${made.inputs} similar inputs: the patch may fit only these tests.`,
        isNarrow: true,
      },
    ];
  const where =
    trusted === 0
      ? "no passing test calls the code with one of these inputs, so no result of the base is known to be correct"
      : `it agrees with the base on ${eachOf(trusted, "input")} on which the base is trusted`;
  const beside =
    near === 0
      ? ""
      : ` With another literal, ${near - nearKept} of ${countOf(near, "passing test")} ${wordFor(near - nearKept, "gives", "give")} a result that differs from the one on the base.`;
  return [
    {
      weight: "note",
      text: `${on}, the patch differs from the base on ${countOf(differing, "input")}; ${where}.${beside}`,
    },
  ];
}
