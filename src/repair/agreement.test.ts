import { describe, expect, it } from "vitest";
import type { Comparison } from "../languages/contract.ts";
import { describeAgreement, factorOf, isConditional, listReservations, weighAgreement } from "./agreement.ts";

/** Behaviour as words, by candidate; 0 is the base. */
function compare(origins: string, behaviours: Readonly<Record<number, string>>): Comparison {
  const entries = Object.entries(behaviours).map(([id, text]) => [Number(id), text.split(" ")] as const);
  return {
    origins: origins.split(" ") as Comparison["origins"][number][],
    behaviours: new Map(entries),
    invalid: undefined,
  };
}

function orderOf(comparison: Comparison): number[] {
  return [...weighAgreement(comparison)].sort(([, a], [, b]) => factorOf(b) - factorOf(a)).map(([id]) => id);
}

describe("weighAgreement", () => {
  it("prefers what most patches do, for wrong ones are wrong in different ways", () => {
    const comparison = compare("passing failing derived derived derived", {
      0: "v1 v0 v0 v0 v0",
      1: "v1 v2 v3 v9 v5",
      2: "v1 v2 v3 v4 v5",
      3: "v1 v2 v3 v4 v5",
      4: "v1 v2 v0 v0 v7",
    });
    expect(orderOf(comparison)).toEqual([2, 3, 1, 4]);
    expect(weighAgreement(comparison).get(2)).toMatchObject({ inputs: 5, others: 3, alike: [3] });
  });

  it("prefers what leaves values of the base alone where the fault is an exception", () => {
    const comparison = compare("passing failing derived derived derived", {
      0: "v1 e0 v2 v3 v4",
      1: "v1 v0 v7 v8 v9",
      2: "v1 v0 v2 v3 v4",
    });
    expect(orderOf(comparison)).toEqual([2, 1]);
    expect(weighAgreement(comparison).get(2)).toMatchObject({ trusted: 4, kept: 4 });
  });

  it("does not hold on to values of the base where the fault is a wrong value", () => {
    const comparison = compare("passing failing derived derived", {
      0: "v1 v2 v3 v4",
      1: "v1 v5 v6 v7",
      2: "v1 v5 v6 v7",
      3: "v1 v5 v3 v4",
    });
    expect(weighAgreement(comparison).get(1)).toMatchObject({ trusted: 1, kept: 1 });
    expect(orderOf(comparison)).toEqual([1, 2, 3]);
  });

  it("counts against a patch that it hangs or crashes where the base did not", () => {
    const comparison = compare("passing derived derived failing", {
      0: "v1 v2 v3 hang",
      1: "v1 hang crash v5",
      2: "v1 v2 v4 v5",
    });
    expect(weighAgreement(comparison).get(1)).toMatchObject({ broken: 2 });
    expect(weighAgreement(comparison).get(2)).toMatchObject({ broken: 0 });
    expect(orderOf(comparison)).toEqual([2, 1]);
  });

  it("counts no input on which a test shows the same as before", () => {
    const silent = compare("near near near", { 0: "v v v", 1: "v v v" });
    const [agreement] = weighAgreement({ ...silent, isRepeat: [false, true, true] }).values();
    expect(agreement).toMatchObject({ inputs: 3, distinct: 1, near: 3, nearKept: 3 });
  });

  it("says nothing of candidates that were not compared", () => {
    expect(weighAgreement(compare("passing", { 1: "v1" })).size).toBe(0);
    expect([...weighAgreement(compare("passing", { 0: "v1", 2: "v1" })).keys()]).toEqual([2]);
  });
});

describe("describeAgreement", () => {
  const none = { alike: [2, 3, 4, 5, 6, 7, 8], near: 0, nearKept: 0 };
  const agreement = {
    ...none,
    inputs: 120,
    others: 9,
    share: 0.8,
    trusted: 30,
    kept: 30,
    passing: 20,
    passingKept: 20,
    shifted: 0,
    broken: 0,
  };

  it("says how many agree, on how much, and that nothing speaks against it", () => {
    expect(describeAgreement(agreement)).toBe(
      "Compared on 120 inputs, the patch does the same as 7 of 9 other plausible patches; it agrees with the base on 30 of 30 inputs on which the base is trusted. No result counts against it.",
    );
  });

  it("says what speaks against it", () => {
    const text = describeAgreement({
      ...agreement,
      inputs: 8,
      alike: [2],
      kept: 29,
      passingKept: 19,
      broken: 1,
    });
    expect(text).toMatch(/hangs or crashes on 1\b/);
    expect(text).toMatch(
      /Against it: the patch hangs or crashes where the base does not, the patch changes results of passing tests/,
    );
  });

  it("says what becomes of passing tests with another literal", () => {
    const text = describeAgreement({
      ...agreement,
      ...{ others: 0, alike: [], trusted: 0, kept: 0, passing: 0, passingKept: 0, near: 12, nearKept: 6 },
    });
    expect(text).toBe(
      "Compared on 120 inputs, the patch agrees with the base in 6 of 12 passing tests with a changed literal. Against it: the patch changes results on inputs near those of passing tests.",
    );
  });
});

describe("listReservations", () => {
  it("takes what a version left out for nothing", () => {
    const comparison = compare("near near", { 0: "v1 v2", 1: "v1 ?", 2: "v1 v3" });
    const [first, second] = [1, 2].map((id) => weighAgreement(comparison).get(id));
    expect(first).toMatchObject({ inputs: 1, near: 1, nearKept: 1, alike: [2] });
    expect(second).toMatchObject({ inputs: 2, near: 2, nearKept: 1 });
  });

  it.each([
    [{ alike: [2, 3] }, 1, []],
    [{ alike: [2] }, 0.8, [false]],
    [{ alike: [] }, 0.6, [false]],
    [{ alike: [] }, 0.3, [true]],
    [{ alike: [2, 3], kept: 8, passingKept: 8 }, 1, [true]],
    [{ alike: [2, 3], kept: 8 }, 1, [false]],
  ])("%j, standing %d: grave %j", (changed, standing, graves) => {
    const agreement = {
      inputs: 40,
      others: 2,
      share: 1,
      trusted: 9,
      kept: 9,
      passing: 9,
      passingKept: 9,
      near: 9,
      nearKept: 9,
      shifted: 0,
      broken: 0,
    };
    expect(
      listReservations({ ...agreement, ...changed }, { standing }).map(({ isGrave }) => isGrave),
    ).toEqual(graves);
  });

  describe("a patch that adds the same number to every result", () => {
    const numbers = (add: (value: number) => number): string =>
      Array.from({ length: 24 }, (_, at) => `v0123456789ab=${add(at)}`).join(" ");
    const weighed = (add: (value: number) => number, first = "failing") => {
      const origins = [first, ...Array.from({ length: 23 }, () => "derived")].join(" ");
      return weighAgreement(compare(origins, { 0: numbers((value) => value), 1: numbers(add) })).get(1);
    };
    const graves = (limited: boolean, ...given: Parameters<typeof weighed>): number => {
      const agreement = weighed(...given);
      return agreement === undefined
        ? -1
        : listReservations(agreement, { limited }).filter(({ isGrave }) => isGrave).length;
    };

    it("does not repair a fault that the statement gives a condition", () => {
      const conditional = isConditional("`pages` leaves out the last page where it is not full");
      expect(graves(conditional, (value) => value + 1)).toBe(1);
    });

    it("does not where some results are no numbers, and the same as before", () => {
      const origins = ["failing", ...Array.from({ length: 25 }, () => "derived")].join(" ");
      const odd = "vInfinity vNaN";
      const agreement = (other: string) =>
        weighAgreement(
          compare(origins, {
            0: `${numbers((value) => value)} ${odd}`,
            1: `${numbers((value) => value + 1)} ${other}`,
          }),
        ).get(1);
      expect(agreement(odd)?.shifted).toBe(23);
      expect(agreement("vInfinity v0")?.shifted).toBe(0);
    });

    it("may repair one without a condition, and other patches may with one", () => {
      expect(graves(isConditional("`pages` returns one page too few"), (value) => value + 1)).toBe(0);
      expect(graves(true, (value) => value + (value % 3 === 0 ? 0 : 1))).toBe(0);
      expect(graves(true, (value) => 2 * value + 1)).toBe(0);
    });
  });
});
