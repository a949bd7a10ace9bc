/** Explains why no failing test counts as the stated fault, and suggests a remedy. Pure. */
import { countOf, wordFor } from "../../base/count.ts";
import { formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import { matchSignature, readSignature } from "../state/statement-signature.ts";

const mostNamed = 3;
/** The remedy for authors of patches: they can write tests, but not change the task. */
const remedy = "A new test that fails for the stated reason would show the fault";

/** Explains why no failing test shows the fault. `base`: the results of all tests without the patch. */
export function tellUnshown(base: readonly TestOutcome[], statement: string): string {
  const failing = base.filter(({ status }) => isFailing(status));
  if (failing.length === 0)
    return `no test shows the fault: no test of the repository fails without the patch. ${remedy}`;
  const named = failing.slice(0, mostNamed).map(({ key }) => formatTestKey(key));
  const more = failing.length > named.length ? ` and ${failing.length - named.length} more` : "";
  const fail = `${countOf(failing.length, "test")} ${wordFor(failing.length, "fails", "fail")}`;
  const signature = readSignature(statement);
  const isNear = failing.some((outcome) => matchSignature(signature, outcome).matches);
  const because = isNear
    ? "the words shared with the statement appeared only in some runs, or concern the network"
    : "no failure contains an error, a text or a name from the statement";
  return `no test shows the fault: ${fail} without the patch (${named.join(", ")}${more}), but ${because}. ${remedy}. If one of these tests shows the fault, the task must name the test, its error or its behaviour`;
}
