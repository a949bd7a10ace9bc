import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Mutant } from "../mutants/list-mutants.ts";
import type { MutantVerdicts } from "../mutants/run-mutants.ts";
import { addComments, judgesBehaviour, readVerdict, tellJudged } from "./judges-behaviour.ts";

const mutant = (description: string): Mutant => ({
  ...{ file: "src/fee.py", line: 1, description, base: "", start: 0, end: 0, replacement: "" },
});
const [fault, other, comments] = [mutant("fault"), mutant("other"), mutant("comments")];

/** A fresh checkout for each call; the tests see the mutants of it in turn. */
const tell = (sees: () => (mutant: Mutant) => MutantVerdicts[number], faults = [fault, other]) =>
  tellJudged(
    async (mutants) => {
      const see = sees();
      return mutants.map(see);
    },
    faults,
    comments,
    60_000,
  );

test("tests that fail with a fault and pass with comments judge behaviour", async () => {
  expect(
    await tell(
      () =>
        ({ description }) =>
          description === "comments" ? "survives" : "noticed",
    ),
  ).toBe("behaviour");
});

test("tests that compare with what they recorded in their first run pass with any fault", async () => {
  const recording = () => {
    let recorded: string | undefined;
    return ({ description }: Mutant) => {
      recorded ??= description;
      return description === recorded ? "survives" : "noticed";
    };
  };
  expect(await tell(recording)).toBe("records");
});

test("tests of the code's text fail with comments, each time", async () => {
  expect(await tell(() => () => "noticed")).toBe("reads");
  expect(await tell(() => () => "noticed", [])).toBe("reads");
});

test("a fault noticed by accident and what a failed run leaves behind speak against no test", async () => {
  const accident =
    () =>
    ({ description }: Mutant) =>
      description === "other" ? "noticed" : "survives";
  expect(await tell(accident)).toBe("behaviour");
  const leaving = () => {
    let hasFailed = false;
    return ({ description }: Mutant) => {
      if (description === "comments" && !hasFailed) return "survives";
      hasFailed = true;
      return "noticed";
    };
  };
  expect(await tell(leaving)).toBe("behaviour");
});

test("a fault that builds only beside others shows nothing", async () => {
  const broken =
    (rest: () => MutantVerdicts[number]) =>
    () =>
    ({ description }: Mutant) =>
      description === "fault" ? "unbuildable" : description === "comments" ? "survives" : rest();
  expect(await tell(broken(() => "survives"))).toBe("records");
  expect(await tell(broken(() => "noticed"))).toBe("behaviour");
});

test("tests that could not run with comments may read the code's text", async () => {
  const uncommented = (verdicts: MutantVerdicts) =>
    tellJudged(async () => verdicts, [fault], undefined, 60_000);
  expect(await uncommented(["noticed"])).toBe("uncommented");
  expect(await tellJudged(async () => [], [], undefined, 60_000)).toBe("uncommented");
  const unbuildable =
    () =>
    ({ description }: Mutant) =>
      description === "comments" ? "unbuildable" : "noticed";
  expect(await tell(unbuildable)).toBe("uncommented");
});

test("a patch without executable lines needs no faults and no comments", async () => {
  const asked = { tree: "t", code: [], tests: [], noticed: [] };
  const context = partOf<Parameters<typeof judgesBehaviour>[0]>({});
  expect(await judgesBehaviour(context, asked)).toMatchObject({ holds: true });
});

test("a run without time for it says so", async () => {
  expect(await tell(() => () => "unknown")).toBe("unknown");
});

test.each([
  [
    "src/fee.py",
    'def fee(weight):\n    text = """\n    a\n    """\n    return weight\n',
    'def fee(weight):\n    text = """\n    a\n    """ # checked\n    return weight # checked\n# checked\n',
  ],
  [
    "src/fee.js",
    "function fee(weight) {\n  const text = `\n    a\n  `;\n  return weight;\n}\n",
    "function fee(weight) {\n  const text = `\n    a\n  `; // checked\n  return weight; // checked\n}\n// checked\n",
  ],
  [
    "fee.go",
    'package fee\n\nfunc Fee(weight int) int {\n\treturn weight // "kept"\n}\n',
    'package fee\n\nfunc Fee(weight int) int {\n\treturn weight // "kept" // checked\n}\n// checked\n',
  ],
  [
    "lib/fee.rb",
    "def fee(weight)\n  text = <<~TEXT\n    a\n  TEXT\n  weight\nend\n",
    "def fee(weight)\n  text = <<~TEXT # checked\n    a\n  TEXT\n  weight # checked\nend\n# checked\n",
  ],
  [
    "src/fee.php",
    "<?php\nfunction fee($weight)\n{\n    return $weight;\n}\n?>\n<p>Fee</p>\n",
    "<?php\nfunction fee($weight)\n{\n    return $weight; // checked\n}\n?>\n<p>Fee</p>\n",
  ],
])("comments in %s change no string and no other text that runs", async (file, text, commented) => {
  const inside = text.split("\n").flatMap((line, at) => (/^\s/.test(line) ? at + 1 : []));
  expect(await addComments(file, text, new Set(inside))).toBe(commented);
});

test("a time limit that ends a test with comments says nothing about the test", () => {
  const key = { package: "", target: "t.py", name: "test_fee" };
  const verdictOf = (status: "timed-out" | "failed", isCommented: boolean) => {
    const report = { outcomes: [{ key, status, durationMs: 1 }], coverage: new Map(), invalid: undefined };
    return readVerdict({ report, end: "exited" }, [key], isCommented);
  };
  expect(verdictOf("timed-out", true)).toBe("unknown");
  expect(verdictOf("timed-out", false)).toBe("noticed");
  expect(verdictOf("failed", true)).toBe("noticed");
});
