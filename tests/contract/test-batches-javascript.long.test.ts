/** What the four runners of JavaScript promise of a program with many candidates, each with its plain run beside it. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTestKey, isFailing, type TestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import { composeSchema, type Variant } from "../../src/instrument/compose-schema.ts";
import type { BatchReport } from "../../src/languages/contract.ts";
import { languageOf } from "../../src/languages/source-files.ts";
import { type FrameworkFixture, type OpenFixture, openFixture } from "./test-frameworks-fixture.ts";
import { javascriptFixtures } from "./test-frameworks-javascript.ts";

interface Case {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly passes: boolean;
  /** False where no limit of a framework breaks the plain run. */
  readonly plain?: false;
}

/** Runs while the module is loaded. */
const checked = "\n(() => {\n  return 1;\n})();\n";

/** Changes of the fixtures' `prices`, for the heavy parcel that costs one cent too little. */
const cases: readonly Case[] = [
  { title: "a repair", from: "price + surcharge(weight)", to: "price + surcharge(weight) + 1", passes: true },
  { title: "a bound that changes nothing", from: "weight > 10)", to: "weight >= 11)", passes: false },
  { title: "an endless loop", from: "let sum = 0;", to: "for (;;);", passes: false, plain: false },
  { title: "an error while the module is loaded", from: "return 1;", to: "throw sum;", passes: false },
  {
    title: "a constant of the module that is overwritten",
    from: "if (weight > 10)",
    to: "base.letter = base.box = 7; if (weight > 10)",
    passes: false,
  },
  {
    title: "a method of a standard object that is replaced",
    from: "return price;",
    to: "Math.round = () => 0; return price;",
    passes: false,
  },
  { title: "a repair of an arrow function", from: "- 10) * 100", to: "- 10) * 100 + 1", passes: true },
  {
    title: "a repair that breaks another test",
    from: "return price;",
    to: "return price + 1;",
    passes: false,
  },
  {
    title: "code that only a process of a test runs",
    from: "let sum = 0;",
    to: "if (parcels.length === 0) throw parcels; let sum = 0;",
    passes: false,
  },
];
const testTimeoutMs = 2500;

/** One fixture of each framework. */
const fixtures = new Map(javascriptFixtures.map((fixture) => [fixture.framework.name, fixture]));

function statusesOf(outcomes: readonly TestOutcome[], tests: readonly TestKey[]): string[] {
  return tests.map((key) => {
    const outcome = outcomes.find((each) => formatTestKey(each.key) === formatTestKey(key));
    return outcome !== undefined && isFailing(outcome.status) ? "failing" : (outcome?.status ?? "not-run");
  });
}

async function openPlain(fixture: FrameworkFixture): Promise<OpenFixture> {
  return openFixture({
    ...fixture,
    async prepare(root) {
      symlinkSync(join(import.meta.dirname, "../../node_modules"), join(root, "node_modules"));
    },
  });
}

for (const [place, [name, fixture]] of [...fixtures].entries()) {
  describe(`many candidates at once in ${name}`, () => {
    const extension = extname(fixture.oneTest.target);
    const file = `src/prices${extension}`;
    const keyOf = (target: string, title: string): TestKey => {
      return { package: "", target: `test/${target}.test${extension}`, name: `${target} > ${title}` };
    };
    const process = keyOf("hostile", "starts a process");
    const tests = [
      keyOf("prices", "of a light parcel"),
      keyOf("prices", "of a heavy parcel"),
      keyOf("prices", "in total > with a rebate"),
      ...(formatTestKey(process) in fixture.statuses ? [process] : []),
    ];
    let open: OpenFixture;
    let text: string;
    let report: BatchReport;

    const variantOf = ({ from, to }: Case, index: number): Variant => {
      const start = text.indexOf(from);
      if (start === -1) throw new Error(`${from} is not in ${file}`);
      return { id: index + 1, start, end: start + from.length, replacement: to };
    };

    beforeAll(async () => {
      open = await openPlain(fixture);
      const path = join(open.root, file);
      text = `${readFileSync(path, "utf8")}${checked}`;
      const language = languageOf(file);
      if (language === undefined) throw new Error(`no language for ${file}`);
      const schema = await composeSchema({ path: file, text }, language, cases.map(variantOf));
      writeFileSync(path, schema.text);
      report = await open.runBatch({ tests, candidates: cases.map((_, index) => index + 1), testTimeoutMs });
    });
    afterAll(() => open.close());

    test("judges each of them", () => {
      expect(report.invalid).toBeUndefined();
      expect([...report.outcomes.keys()].sort()).toEqual(cases.map((_, index) => index + 1));
    });

    test.for(cases.map((each, index) => ({ ...each, index })))("$title", async ({ index, ...each }) => {
      const found = statusesOf(report.outcomes.get(index + 1) ?? [], tests);
      expect(
        found.every((status) => status === "passed"),
        found.join(),
      ).toBe(each.passes);
      // Each change in a start of its own with two of the runners: the starts take nearly all of the time.
      if (each.plain === false || (index + place) % 2 === 1) return;
      const { start, end, replacement } = variantOf(each, index);
      writeFileSync(join(open.root, file), text.slice(0, start) + replacement + text.slice(end));
      const plain = await open.run({ selection: { kind: "tests", tests }, testTimeoutMs });
      expect(found).toEqual(statusesOf(plain.report.outcomes, tests));
    });
  });
}
