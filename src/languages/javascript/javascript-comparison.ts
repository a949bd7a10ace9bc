/**
 * Compares base and candidates on the same inputs. `runtime/javascript/compare-run.cjs` calls the plain exported
 * functions of the changed modules.
 */
import { posix } from "node:path";
import { z } from "zod";
import { parseJson } from "../../base/parse-json.ts";
import type { Batch, BatchReportRequest, BatchRequest, Comparison, Invocation } from "../contract.ts";

export const javascriptComparison: Batch<Comparison> = { kind: "swap", size: 20, invoke, parse };

/** Time limit in milliseconds of one version for all inputs. */
const childMs = 10_000;

function invoke({ tests, failing = [], candidates, paths }: BatchRequest): Invocation {
  const request = {
    ...{ root: paths.root, report: paths.report, candidates, childMs },
    tests: [...new Set(tests.map(({ target }) => target))],
    failing: failing.map(({ name }) => name),
  };
  const script = posix.join(paths.runtime, "javascript", "compare-run.cjs");
  return { run: ["node", script], env: { MILLWRIGHT_COMPARE: JSON.stringify(request) } };
}

const endSchema = z.object({ ended: z.array(z.int()), invalid: z.string().optional() });

type Origin = Comparison["origins"][number];

function parse({ files, candidates, stderr }: BatchReportRequest): Comparison {
  const read = (name: string): string => files.get(name)?.toString("utf8") ?? "";
  const linesOf = (name: string): string[] => read(name).split("\n").slice(0, -1);
  // Code under test can write to this file, too.
  const { ended, invalid } = endSchema.safeParse(parseJson(read("compared.json"))).data ?? {
    ended: [],
    invalid: `the comparison was cut off: ${stderr.slice(-300)}`,
  };
  const origins = linesOf("inputs.txt") as Origin[];
  const [base, again] = [linesOf("v0.txt"), linesOf("again.txt")];
  // Results that differ between two runs of the base say nothing.
  const steady = origins.flatMap((_, at) => (base[at] !== undefined && base[at] === again[at] ? at : []));
  const behaviours = new Map<number, readonly string[]>();
  for (const id of [0, ...candidates.map((candidate) => candidate.id)]) {
    if (!ended.includes(id)) continue;
    const all = linesOf(`v${id}.txt`);
    behaviours.set(
      id,
      steady.map((at) => all[at] ?? "crash"),
    );
  }
  const nothing =
    origins.length === 0
      ? "no test calls an exported function of the changed modules with literal arguments"
      : undefined;
  return { origins: steady.flatMap((at) => origins[at] ?? []), behaviours, invalid: invalid ?? nothing };
}
