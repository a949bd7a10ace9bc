/** Tests of the repository that assert what the statement calls wrong: they may go, and no others. Whole runs with a scripted model. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer, type ScriptedEnd, solveScripted } from "./scripted-solve.ts";
import { act, done, edit, predicate } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement =
  "`packs(13)` returns 2, so that the last piece is left behind. It has to return 3: a pack that is begun counts.";
/** Names no value of the test. */
const vague = "`packs` rounds down, so that the last pieces are left behind. A pack that is begun counts.";

interface Project {
  readonly fixture: string;
  readonly code: string;
  readonly wrong: string;
  /** Mends it. */
  readonly right: string;
  /** Breaks what the statement does not speak of. */
  readonly broken: string;
  readonly tests: { readonly path: string; readonly text: string };
  /** The test that says the wrong thing, and one that is right: where they stand, and as what. */
  readonly file: string;
  readonly begun: readonly [name: string, before: string, after: string];
  readonly whole: readonly [name: string, before: string, after: string];
  readonly prepare?: (repository: string) => void;
}

const python: Project = {
  fixture: "wrong-test-python",
  code: "parcels/__init__.py",
  wrong: "    return pieces // 6",
  right: "    return -(-pieces // 6)",
  broken: "    return pieces // 6 + 1 if pieces else 0",
  tests: {
    path: "tests/test_begun.py",
    text: "import unittest\n\nfrom parcels import packs\n\n\nclass BegunTest(unittest.TestCase):\n    def test_counts_what_is_begun(self):\n        self.assertEqual(packs(13), 3)",
  },
  file: "tests/test_packs.py",
  begun: ["PacksTest.test_begun", "packs(13), 2)", "packs(13), 3)"],
  whole: ["PacksTest.test_whole", "packs(12), 2)", "packs(12), 3)"],
};

const rust: Project = {
  fixture: "wrong-test-rust",
  code: "src/lib.rs",
  wrong: "    pieces / 6",
  right: "    (pieces + 5) / 6",
  broken: "    if pieces == 0 { 0 } else { pieces / 6 + 1 }",
  tests: {
    path: "tests/begun.rs",
    text: "#[test]\nfn counts_what_is_begun() {\n    assert_eq!(parcels::packs(13), 3);\n}",
  },
  file: "src/lib.rs",
  begun: ["src/lib.rs - packs", "packs(13), 2)", "packs(13), 3)"],
  whole: ["src/lib.rs - packs #2", "packs(12), 2)", "packs(12), 3)"],
};

const use = (name: string, input: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name, input }],
});

interface Said {
  readonly statement?: string;
  /** Of `submit`, beside the summary. */
  readonly submit?: object;
  /** The next submission, and a part of the reply to the first one. */
  readonly again?: { readonly reply: string; readonly submit: object };
  /** What the review says of the patch, its tests, and the test that is said to be wrong. */
  readonly review?: {
    readonly tests: boolean;
    readonly agreed?: boolean;
    readonly test?: string;
    readonly others?: readonly string[];
  };
}

function react(
  project: Project,
  body: string,
  reworded: readonly Project["begun"][],
  { statement: said = statement, submit = {}, again, review }: Said = {},
): Promise<ScriptedEnd> {
  const { fixture, code, wrong, tests, file, prepare, begun } = project;
  const repository = playground.copyRepository(fixture);
  const summary = "a pack that is begun counts";
  prepare?.(repository);
  return solveScripted(playground, {
    strategy: "react",
    statement: said,
    repository,
    answers: [
      use("create", { path: tests.path, text: `${tests.text}\n` }),
      use("str_replace", { path: code, old: wrong, new: body }),
      ...reworded.map(([, old, text]) => use("str_replace", { path: file, old, new: text })),
      { ...use("submit", { summary, ...submit }), times: again === undefined ? "always" : 1 },
      ...(again === undefined
        ? []
        : [
            {
              ...use("submit", { summary, ...again.submit }),
              contains: again.reply,
              times: "always" as const,
            },
          ]),
      ...(review === undefined ? [] : [verdictOf(review, begun[0])]),
    ],
  });
}

function verdictOf(said: NonNullable<Said["review"]>, name: string): ScriptedAnswer {
  const { tests, agreed, test = name, others = [] } = said;
  const approved = { approved: true, analysis: "It counts what is begun.", advice: "" };
  const wrong = [test, ...others].map((each) => ({
    ...{ test: each, agreed: each === test && agreed },
    because: "I have read the statement and the test",
  }));
  const input = {
    patch: approved,
    tests: { ...approved, approved: tests },
    ...(agreed === undefined ? {} : { saysWrong: wrong }),
  };
  return { role: "review", calls: [{ name: "verdict", input }], times: "always" };
}

const because = "the statement says that packs(13) must not be 2, which this asserts";

/** `agreed`: what the review says of the test, where it is asked. */
function unified(
  project: Project,
  said: string,
  body: string,
  { named, agreed }: { readonly named: Project["begun"]; readonly agreed: boolean },
): Promise<ScriptedEnd> {
  const { fixture, code, wrong, tests, file } = project;
  const [name, before, after] = named;
  const lineOf = (text: string): string =>
    readFileSync(join(repository, file), "utf8")
      .split("\n")
      .find((line) => line.includes(text)) ?? "";
  const repository = playground.copyRepository(fixture);
  const example =
    file === code ? [editBlock(file, lineOf(before), lineOf(before).replace(before, after))] : [];
  const review = { approved: true, analysis: "It counts what is begun.", advice: "" };
  return solveScripted(playground, {
    strategy: "unified",
    statement: said,
    repository,
    answers: [
      {
        role: "reproduction",
        calls: [{ name: "edit", input: { edits: editBlock(tests.path, "", tests.text) } }],
      },
      {
        role: "reproduction",
        calls: [
          {
            name: "show",
            input: { files: [tests.path], because: "2 comes back for 13 pieces, the last one is left" },
          },
        ],
      },
      edit(editBlock(code, wrong, body), ...example),
      done("what is begun counts", { saysWrong: [{ test: name, because }] }),
      act("edit-code", { intent: "count what is begun" }),
      {
        role: "review",
        contains: [name, because],
        calls: [
          {
            name: "verdict",
            input: {
              patch: review,
              tests: review,
              saysWrong: [{ test: name, agreed, because: "I have read the statement and the test" }],
            },
          },
        ],
      },
      { ...act("finish", { candidate: "c1" }), times: "always" },
    ],
    args: ["--max-steps", "14"],
  });
}

test("react: a test that asserts the fault may be reworded, and is named", async () => {
  const { begun, right, code } = python;
  const { report, exitCode, stderr } = await react(python, right, [begun]);
  expect(
    report.gate.filter(({ holds }) => !holds),
    stderr,
  ).toEqual([]);
  expect(exitCode).toBe(0);
  expect(predicate(report, "no-test-breaks")?.evidence).toContain(`${begun[0]} does not count`);
  expect(report.strength).toBe("moderate");
  expect(report.files.map(({ path }) => path)).toEqual([code]);
});

/** A word of it is in the name of what is changed, and nothing else. */
const strange = "Customers see too few packs at the door.";
const stranger = "Customers see too few boxes at the door.";
const inFile = "test_begun (tests/test_packs.py)";
/** Two words of it are there. */
const placed = "Customers see too few packs of their pieces.";

test.each<[string, string, Said, number, string, RegExp]>([
  [
    "a test in the form `NAME (FILE)`, where the review agrees",
    vague,
    {
      submit: { saysWrong: [{ test: inFile, because }] },
      review: { tests: true, agreed: true, test: inFile },
    },
    0,
    "no-test-breaks",
    /PacksTest.test_begun does not count.*in the opinion of the patch's author and of the review/,
  ],
  [
    "a test whose id the author writes once no test had the name",
    vague,
    {
      submit: { saysWrong: [{ test: "test_began", because }] },
      again: {
        reply: 'do not each name exactly one broken test: "test_began"',
        submit: { saysWrong: [{ test: python.begun[0], because }] },
      },
      review: { tests: true, agreed: true, others: ["test_began"] },
    },
    0,
    "no-test-breaks",
    /PacksTest.test_begun does not count.*in the opinion of the patch's author and of the review/,
  ],
  [
    "a test that asserts the fault, where the review agrees",
    vague,
    { submit: { saysWrong: [{ test: python.begun[0], because }] }, review: { tests: true, agreed: true } },
    0,
    "no-test-breaks",
    /PacksTest.test_begun does not count.*in the opinion of the patch's author and of the review/,
  ],
  [
    "a test that asserts the fault, where the review does not",
    vague,
    { submit: { saysWrong: [{ test: python.begun[0], because }] }, review: { tests: true, agreed: false } },
    10,
    "no-test-breaks",
    /the review did not agree/,
  ],
  [
    "not a test that the statement does not speak of",
    stranger,
    {
      submit: { saysWrong: [{ test: python.begun[0], because }], because: "packs counts whole boxes alone" },
      review: { tests: true, agreed: true },
    },
    10,
    "no-test-breaks",
    /The base's version of \S*test_begun counts/,
  ],
])("react: by the word of its author, %s", async (_, said, more, exitCode, name, evidence) => {
  const end = await react(python, python.right, [], { statement: said, ...more });
  expect(predicate(end.report, name)?.evidence, end.stderr).toMatch(evidence);
  expect(end.exitCode, JSON.stringify(end.report.gate)).toBe(exitCode);
});

test.each([
  [
    "counts no more where the review agrees with the change",
    true,
    0,
    /does not count.*`[^`]*packs\(13\), 2\)` becomes/,
  ],
  ["counts where the review does not agree", false, 10, /the review did not agree/],
])("react: a test that the patch rewrites without a claim %s", async (_, agreed, exitCode, evidence) => {
  const review = { tests: true, agreed };
  const end = await react(python, python.right, [python.begun], { statement: vague, review });
  expect(predicate(end.report, "no-test-breaks")?.evidence, end.stderr).toMatch(evidence);
  expect(end.exitCode, JSON.stringify(end.report.gate)).toBe(exitCode);
});

test("react: a rewritten test that loses another assertion counts without a question to the review", async () => {
  const both = "packs(13), 2)\n        self.assertEqual(packs(12), 2)";
  const prepare = (repository: string) => {
    const path = join(repository, python.file);
    writeFileSync(path, readFileSync(path, "utf8").replace("packs(13), 2)", both));
  };
  const begun = ["", both, "packs(13), 3)"] as const;
  const review = { tests: true, agreed: true, test: python.begun[0] };
  const end = await react({ ...python, prepare }, python.broken, [begun], { statement: vague, review });
  expect(predicate(end.report, "no-test-breaks")?.evidence, end.stderr).toContain("no author claims");
  expect(end.exitCode).toBe(10);
});

test.each([
  ["where the review agrees", strange, true, 0, "; the review agrees"],
  ["not where it does not", strange, false, 10, "; no review agrees"],
  ["not where nothing names what is changed", stranger, true, 10, "no test shows the fault"],
  [
    "not by two words of the patch's place, where the review does not",
    placed,
    false,
    10,
    "; no review agrees",
  ],
  ["by two words of the patch's place, where the review agrees", placed, true, 0, "; the review agrees"],
])(
  "react: tests without a word of the statement show the fault: %s",
  async (_, said, isApproved, code, evidence) => {
    const prepare = (repository: string) => {
      const any =
        "import unittest\n\n\nclass AnyTest(unittest.TestCase):\n    def test_any(self):\n        self.assertTrue(True)\n";
      writeFileSync(join(repository, python.file), any);
      const path = join(repository, python.code);
      writeFileSync(path, `${readFileSync(path, "utf8")}\n\ndef carry(pieces):\n    return packs(pieces)\n`);
    };
    const tests = { ...python.tests, text: python.tests.text.replaceAll("packs", "carry") };
    const end = await react({ ...python, prepare, tests }, python.right, [], {
      statement: said,
      submit: { because: "packs counts whole boxes alone" },
      review: { tests: isApproved },
    });
    expect(predicate(end.report, "failure-is-the-stated-one")?.evidence, end.stderr).toContain(evidence);
    expect(end.exitCode, JSON.stringify(end.report.gate)).toBe(code);
  },
);

test("react: a comment in the function that the statement names ties no test of another change to it", async () => {
  const prepare = (repository: string) => {
    const any =
      "import unittest\n\n\nclass AnyTest(unittest.TestCase):\n    def test_any(self):\n        self.assertTrue(True)\n";
    writeFileSync(join(repository, python.file), any);
    const path = join(repository, python.code);
    const more = "\n\ndef carry(pieces):\n    return packs(pieces)\n\n\ndef label(name):\n    return name\n";
    writeFileSync(path, `${readFileSync(path, "utf8")}${more}`);
  };
  const tests = { ...python.tests, text: python.tests.text.replaceAll("packs", "carry") };
  const project = { ...python, prepare, tests, file: python.code };
  const end = await react(
    project,
    python.right,
    [["", "    return name", "    # As given.\n    return name"]],
    {
      statement: "`label` shows something else",
      submit: { because: "label shows what was left behind" },
      review: { tests: true },
    },
  );
  expect(predicate(end.report, "failure-is-the-stated-one")?.holds, end.stderr).toBe(false);
  expect(end.exitCode, JSON.stringify(end.report.gate)).toBe(10);
});

test("react: a test that is right and in the way may not be reworded", async () => {
  const { report, exitCode } = await react(python, python.broken, [python.begun, python.whole]);
  expect(exitCode).toBe(10);
  expect(predicate(report, "no-test-breaks")).toMatchObject({
    holds: false,
    evidence: expect.stringContaining('the statement does not contain "12"'),
  });
});

/** In Rust the wrong test is an example in the sources. */
test("unified: by the review, where the statement names no value, of an example", async () => {
  const { begun, right } = rust;
  const { report, exitCode, stderr } = await unified(rust, vague, right, { named: begun, agreed: true });
  expect(
    report.gate.filter(({ holds }) => !holds),
    stderr,
  ).toEqual([]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("For c1, the gate lacks only a review of the claims about broken tests. By rule,");
  expect(predicate(report, "no-test-breaks")?.evidence).toContain(`${begun[0]} does not count`);
  expect(predicate(report, "no-test-breaks")?.evidence).toContain("in the opinion of");
});

test("unified: the author hears at once that a patch leaves tests alone, and how to name a wrong one", async () => {
  const { fixture, code, wrong, right, file, begun } = python;
  const repository = playground.copyRepository(fixture);
  const [name, before, after] = begun;
  const reworded = editBlock(file, `        self.assertEqual(${before}`, `        self.assertEqual(${after}`);
  const advice = "Name such a test in `saysWrong` when you end the work";
  const refused = `Millwright did not apply the changes to ${file}.`;
  const { actions, events, stderr } = await solveScripted(playground, {
    ...{ strategy: "unified", statement: vague, repository },
    answers: [
      act("edit-code", { intent: "count what is begun" }),
      edit(reworded),
      {
        role: "editing",
        contains: [refused, advice],
        calls: [{ name: "edit", input: { edits: `${editBlock(code, wrong, right)}${reworded}`, done: "x" } }],
      },
      act("execute-tests", { candidate: "c1", tests: [`${file}::${name}`] }),
      { ...act("execute-tests", { candidate: "c1" }), contains: [`c1, ${file}::${name}: 0 of 1`, advice] },
      { ...act("finish", { nothingToChange: "it is said" }), contains: ["c1: ", advice] },
    ],
    args: ["--max-steps", "14", "--no-rules"],
  });
  expect(actions, stderr).toEqual(["edit-code", "execute-tests", "execute-tests", "finish"]);
  expect(events.filter(({ event }) => event === "candidate-created")).toHaveLength(1);
});

test("unified: not against the review", async () => {
  const { broken, whole } = python;
  const { report, exitCode } = await unified(python, vague, broken, { named: whole, agreed: false });
  expect(exitCode).not.toBe(0);
  expect(predicate(report, "no-test-breaks")?.holds).toBe(false);
});

test("react: a test that was there is not weakened beside a new one", async () => {
  const weak = ["", "self.assertEqual(packs(12), 2)", "self.assertTrue(packs(12))"] as const;
  const { report, exitCode } = await react(python, python.broken, [python.begun, weak]);
  expect(exitCode).toBe(10);
  expect(predicate(report, "no-test-breaks")?.evidence).toContain("PacksTest.test_whole");
});

test("react: what a test asserts beside the wrong thing has to stay", async () => {
  const { code, begun, broken } = python;
  const both = "        self.assertEqual(packs(13), 2)\n        self.assertEqual(packs(12), 2)";
  const project = {
    ...python,
    prepare: (repository: string) => {
      const path = join(repository, python.file);
      writeFileSync(path, readFileSync(path, "utf8").replace("        self.assertEqual(packs(13), 2)", both));
    },
  };
  const { report, exitCode } = await react(project, broken, [
    begun,
    ["", "packs(12), 2)\n\n    def test_whole", "packs(12), 3)\n\n    def test_whole"],
    ["", "packs(12), 2)", "packs(12), 3)"],
  ]);
  expect(exitCode).toBe(10);
  expect(predicate(report, "no-test-breaks")?.evidence).toContain(
    "the patch also removes another assertion of the test: self.assertEqual(packs(12), 2)",
  );
  expect(report.files.map(({ path }) => path)).toEqual([code]);
});

const empty: Project = {
  ...python,
  right: '    if pieces == 0:\n        raise ValueError("no pieces")\n    return pieces // 6',
  broken: '    if pieces < 13:\n        raise ValueError("too few pieces")\n    return pieces // 6',
  tests: {
    path: "tests/test_empty.py",
    text: "import unittest\n\nfrom parcels import packs\n\n\nclass EmptyTest(unittest.TestCase):\n    def test_refuses_nothing(self):\n        with self.assertRaises(ValueError):\n            packs(0)",
  },
  begun: ["PacksTest.test_none", "self.assertEqual(packs(0), 0)", "self.assertRaises(ValueError, packs, 0)"],
  whole: ["PacksTest.test_whole", "packs(12), 2)", "packs(13), 2)"],
};
const refused = "`packs(0)` gives 0. It must raise ValueError, because nobody sends an empty parcel.";

test("react: a test that fails with the error that the statement demands for its call may be reworded", async () => {
  const { right, begun } = empty;
  const { report, exitCode, stderr } = await react(empty, right, [begun], { statement: refused });
  expect(
    report.gate.filter(({ holds }) => !holds),
    stderr,
  ).toEqual([]);
  expect(exitCode).toBe(0);
  expect(predicate(report, "no-test-breaks")?.evidence).toContain(
    'the statement demands "ValueError" instead',
  );
});

test("react: the demanded error for other inputs is no excuse", async () => {
  const { broken, begun, whole } = empty;
  const { report, exitCode } = await react(empty, broken, [begun, whole], { statement: refused });
  expect(exitCode).toBe(10);
  expect(predicate(report, "no-test-breaks")).toMatchObject({
    holds: false,
    evidence: expect.stringContaining("PacksTest.test_whole"),
  });
});
