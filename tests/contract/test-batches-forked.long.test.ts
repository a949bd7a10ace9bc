/** That a Ruby or PHP candidate has the same verdict in a forked child of one start as in a start of its own, or none. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTestKey, type TestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import { type OpenProject, openProject } from "./test-batches-project.ts";
import { phpFixtures } from "./test-frameworks-php.ts";
import { rubyFixtures } from "./test-frameworks-ruby.ts";

const testTimeoutMs = 1000;
const rubyHeavy = "    if weight > 10";
const phpHeavy = "        if ($weight > 10)";
const phpTotal = "        $total = self::RATES[$kind] * $weight;";

/** Text of the file of prices, and what stands there in a candidate. */
const changes = {
  ruby: {
    "another limit": [rubyHeavy, "    if weight > 11"],
    "a wrong limit": [rubyHeavy, "    if weight > 1"],
    "another constant": ['"parcel" => 4', '"parcel" => 5'],
    "no program": [rubyHeavy, "    if (weight >"],
    "an endless loop": [rubyHeavy, "    loop { nil }\n    if weight > 10"],
    "the end of the process": [rubyHeavy, "    exit!(0)\n    if weight > 10"],
    "another process": [rubyHeavy, '    system("true")\n    if weight > 11'],
    "its own path": [
      rubyHeavy,
      '    raise __dir__ unless __FILE__.end_with?("lib/prices.rb") && File.exist?(__FILE__)\n    if weight > 11',
    ],
  },
  php: {
    "another limit": [phpHeavy, "        if ($weight > 11)"],
    "a wrong limit": [phpHeavy, "        if ($weight > 1)"],
    "another constant": ["'parcel' => 4", "'parcel' => 5"],
    "no program": [phpHeavy, "        if ($weight >"],
    "an endless loop": [phpTotal, `        while (true) {}\n${phpTotal}`],
    "the end of the process": [phpTotal, `        exit(0);\n${phpTotal}`],
    "another process": [phpHeavy, "        exec('true');\n        if ($weight > 11)"],
    "its own path": [
      phpHeavy,
      "        if (basename(__DIR__) !== 'src' || !is_file(__FILE__)) throw new \\Error(__DIR__);\n        if ($weight > 11)",
    ],
  },
} as const;

const php = "Shop\\Tests\\PricesTest::";
const subjects = [...rubyFixtures, ...phpFixtures].map((fixture) => {
  const isPhp = fixture.framework.language === "php";
  const isSpec = fixture.framework.name === "rspec";
  const names = isPhp
    ? [`${php}testOfALightParcel`, `${php}testOfAHeavyParcel`]
    : isSpec
      ? ["Prices > of a light parcel", "Prices > of a heavy parcel"]
      : ["PricesTest#test_of_a_light_parcel", "PricesTest#test_of_a_heavy_parcel"];
  const { target } = fixture.oneTest;
  return {
    fixture,
    changes: isPhp ? changes.php : changes.ruby,
    path: isPhp ? "src/Prices.php" : "lib/prices.rb",
    tests: names.map((name): TestKey => ({ package: "", target, name })),
  };
});

const reasons = new Map(
  await Promise.all(subjects.map(async ({ fixture }) => [fixture, await fixture.unavailable()] as const)),
);

function statusesOf(outcomes: readonly TestOutcome[] | undefined, tests: readonly TestKey[]) {
  if (outcomes === undefined) return "left open";
  const found = new Map(outcomes.map(({ key, status }) => [formatTestKey(key), status]));
  return tests.map((key) => (found.get(formatTestKey(key)) === "passed" ? "passed" : "failed"));
}

for (const { fixture, changes, path, tests } of subjects) {
  const { framework } = fixture;
  const { batch } = framework;
  const reason = reasons.get(fixture);
  describe.skipIf(reason !== undefined)(
    `candidates of ${framework.name} in one start${reason === undefined ? "" : ` (skipped: ${reason})`}`,
    () => {
      let opened: OpenProject;
      let candidates: readonly { readonly title: string; readonly content: string }[];

      beforeAll(async () => {
        opened = await openProject({ framework, text: fixture.detected, repository: fixture.repository });
        const file = join(import.meta.dirname, "../fixtures/repos", fixture.repository, path);
        const base = readFileSync(file, "utf8");
        candidates = Object.entries(changes).map(([title, [from, to]]) => {
          if (!base.includes(from)) throw new Error(`${from} is not in ${path}`);
          return { title, content: base.replace(from, () => to) };
        });
      });
      afterAll(() => opened?.close());

      test("judges each as a start of its own does", async () => {
        if (batch === undefined) throw new Error("no batch");
        const { executor, command, workspace } = opened;
        const report = await executor.runBatch(command, batch, {
          tree: workspace.base,
          tests,
          candidates: [
            ...candidates.map(({ content }, at) => ({ id: at + 1, files: [{ path, content }] })),
            { id: 100, files: [{ path: path.replace(/[^/]+(?=\.\w+$)/, "Unused"), content: "" }] },
          ],
          testTimeoutMs,
          timeoutMs: 100_000,
          stopAtFirstFailure: false,
        });
        expect(report.invalid).toBeUndefined();
        const found = candidates.map(({ title }, at) => [
          title,
          statusesOf(report.outcomes.get(at + 1), tests),
        ]);
        // RSpec and PHPUnit load it before the first test: the run reports none.
        const unloaded = ["rspec", "phpunit"].includes(framework.name) ? "left open" : ["failed", "failed"];
        expect(Object.fromEntries(found)).toEqual({
          "another limit": ["passed", "passed"],
          "a wrong limit": ["failed", "failed"],
          "another constant": ["failed", "failed"],
          "no program": unloaded,
          "an endless loop": ["failed", "failed"],
          "the end of the process": ["failed", "failed"],
          "another process": "left open",
          "its own path": ["passed", "passed"],
        });
        // PHP's overlay sees that nothing reads the file; in Ruby nothing shows it.
        expect(statusesOf(report.outcomes.get(100), tests)).toEqual(
          framework.language === "php" ? ["passed", "failed"] : "left open",
        );
      });
    },
  );
}
