/** Checks that the tests fail before the fix because of the fault, and not because new definitions are missing. */
import { countOf } from "../../base/count.ts";
import type { Finding, Validation } from "../contract.ts";

export function judgeFailures({ failures }: Validation): Finding {
  const kinds = Object.values(failures);
  const meant = kinds.filter((kind) => kind !== "does-not-build").length;
  const unbuilt = kinds.length - meant;
  const share = kinds.length === 0 ? 0 : meant / kinds.length;
  return {
    check: "fail-to-pass",
    // A test that cannot be built asks for a name; `strict-tests` says whether the statement has it.
    score: 0.5 + share / 2,
    isBad: false,
    reason: `before the fix, ${meant} of ${countOf(kinds.length, "test")} ran and failed${unbuilt === 0 ? "" : `, and ${unbuilt} did not load or build`}`,
  };
}
