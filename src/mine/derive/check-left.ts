/** Checks that a tree without the hidden tests still builds and passes all other tests. */
import { z } from "zod";
import { countOf, wordFor } from "../../base/count.ts";
import { hashData } from "../../base/hash.ts";
import { executeJob } from "../../bench/job.ts";
import { withCheckout } from "../../bench/open-task.ts";
import { formatTestKey, passedKeys, type TestKey } from "../../domain/test-outcome.ts";
import { drop, keep, type Outcome } from "../contract.ts";
import type { Suite } from "../seed/open-suite.ts";
import type { DeriveRequest } from "./contract.ts";

const leftKind = {
  schema: "millwright.mine-left/1",
  type: z.object({ passed: z.array(z.string()), error: z.string().optional() }),
};
type Left = z.infer<typeof leftKind.type>;

/** Runs the tests of the tree without the hidden tests, once. Drops the task if another test no longer passes. */
export async function checkLeft(
  { store, options, conditions }: Pick<DeriveRequest, "store" | "options" | "conditions">,
  { open, plan, run }: Suite,
  tree: string,
  hidden: readonly TestKey[],
): Promise<Outcome<undefined>> {
  const { result } = await executeJob<Left>(
    {
      key: hashData(["mine-left", tree, plan.command, conditions]),
      kind: leftKind,
      async execute() {
        const left = await withCheckout(open, (checkout) => open.run(checkout, tree, plan));
        return { passed: passedKeys(left.outcomes).map(formatTestKey) };
      },
      isFinal: ({ error }) => error === undefined,
      onError: (error) => ({ passed: [], error }),
    },
    store,
    options.signal,
  );
  if (result.error !== undefined) return { verdict: "error", cause: "infrastructure", detail: result.error };
  const [first, ...others] = lostTests(passedKeys(run.outcomes), hidden, result.passed);
  if (first === undefined) return keep(undefined);
  const more = others.length === 0 ? "" : ` and ${countOf(others.length, "other test")}`;
  return drop(
    "not-hidden",
    `without the function's tests, ${formatTestKey(first)}${more} no longer ${wordFor(others.length + 1, "passes", "pass")}`,
  );
}

/**
 * Returns the tests that passed before and no longer pass. Ignores cases of hidden tests, because the tree lacks them.
 */
export function lostTests(
  before: readonly TestKey[],
  hidden: readonly TestKey[],
  after: readonly string[],
): TestKey[] {
  const gone = new Set(hidden.map(withoutCase));
  const left = new Set(after);
  return before.filter((key) => !left.has(formatTestKey(key)) && !gone.has(withoutCase(key)));
}

/** Returns the test of a case: `test_net[0]` is a case of `test_net`, `TestNet/empty` a case of `TestNet`. */
function withoutCase(key: TestKey): string {
  const name = key.name.replace(/\[.*$/s, "").replace(/^(\w+)\/.*$/s, "$1");
  return formatTestKey({ ...key, name });
}
