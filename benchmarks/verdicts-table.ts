/** Renders the results of `bench:verdicts` as a table, with the reliability of each verdict. Pure. */

export interface Verdict {
  readonly repository: string;
  readonly language: string;
  readonly commit: string;
  readonly subject: string;
  /** Why it was not run; the rest is absent then. */
  readonly unfit?: string;
  readonly outcome?: "verified" | "unverified" | "none" | "error";
  readonly strength?: string | null;
  readonly reason?: string;
  readonly candidates?: number;
  readonly seconds?: number;
  readonly patch?: string;
  /** What is known of the patch beside the tests. */
  readonly evidence?: string;
  readonly remarks?: readonly string[] | undefined;
  /** The project's own fix. */
  readonly gold?: string;
  readonly changesTests?: boolean;
  /** The project's own command passes with the patch. */
  readonly passes?: boolean;
  /** `equal`: one normal form; `same`: the same on all further inputs; `differs`: not on all; `unknown`: nothing could be compared. */
  readonly likeness?: "equal" | "same" | "differs" | "unknown";
  /** On how many of how many further inputs patch and fix differ. */
  readonly differing?: string;
  /** A reader's word: `right` or `wrong`. */
  readonly read?: string;
}

/** A reader's word where there is one; else what was computed. Undefined where nobody knows. */
export function isRight({ passes, likeness, read }: Verdict): boolean | undefined {
  if (read === "right" || read === "wrong") return read === "right";
  if (passes === false) return false;
  if (likeness === "equal" || likeness === "same") return true;
  return likeness === "differs" ? false : undefined;
}

export function renderVerdicts(verdicts: readonly Verdict[]): string {
  const ran = verdicts.filter(({ unfit }) => unfit === undefined);
  const rows = verdicts.map((each) =>
    [
      each.repository,
      each.commit.slice(0, 8),
      each.unfit === undefined ? (each.outcome ?? "") : "not run",
      each.strength ?? "",
      sayRight(each),
      each.likeness === undefined ? "" : `${each.likeness} ${each.differing ?? ""}`,
      each.candidates ?? "",
      each.seconds === undefined ? "" : Math.round(each.seconds),
      each.changesTests === true ? "CHANGES TESTS" : "",
      (each.unfit ?? each.reason ?? "").replaceAll(/\s+/g, " ").slice(0, 110),
    ].join(" | "),
  );
  const count = (keep: (each: Verdict) => boolean): number => ran.filter(keep).length;
  const lines = ["strong", "moderate", "weak"].map((strength) => {
    const of = ran.filter((each) => each.strength === strength && each.outcome !== "none");
    const right = of.filter((each) => isRight(each) === true).length;
    const wrong = of.filter((each) => isRight(each) === false).length;
    return `${strength}: ${right} right, ${wrong} wrong, ${of.length - right - wrong} unknown of ${of.length}`;
  });
  const verified = ran.filter(({ outcome }) => outcome === "verified");
  return [
    "repository | commit | outcome | strength | right | compared with the fix | candidates | seconds | | reason",
    ...rows,
    "",
    `${ran.length} run, ${verdicts.length - ran.length} not run`,
    `verified ${verified.length}: ${verified.filter((each) => isRight(each) === true).length} right, ${verified.filter((each) => isRight(each) === false).length} wrong`,
    `unverified ${count(({ outcome }) => outcome === "unverified")}, none ${count(({ outcome }) => outcome === "none")}, errors ${count(({ outcome }) => outcome === "error")}`,
    `0 candidates ${count(({ candidates }) => candidates === 0)}, changes of test code ${count(({ changesTests }) => changesTests === true)}`,
    ...lines,
  ].join("\n");
}

function sayRight(each: Verdict): string {
  if (each.unfit !== undefined || (each.patch ?? "") === "") return "";
  const right = isRight(each);
  return right === undefined ? "?" : right ? "right" : "wrong";
}
