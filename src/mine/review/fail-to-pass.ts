/** Checks that the tests fail before the fix because of the fault, and not because new definitions are missing. */
import { countOf } from "../../base/count.ts";
import type { Finding, Validation } from "../contract.ts";

export function judgeFailures({ failures }: Validation): Finding {
  const kinds = Object.values(failures);
  const meant = kinds.filter((kind) => kind !== "does-not-build").length;
  const share = kinds.length === 0 ? 0 : meant / kinds.length;
  return {
    check: "fail-to-pass",
    // A test that cannot be built asks for a name; `strict-tests` says whether the statement has it.
    score: 0.5 + share / 2,
    isBad: false,
    reason: `${meant} of ${countOf(kinds.length, "test")} ran and failed before the fix${meant === kinds.length ? "" : "; the others did not load or build"}`,
  };
}
