import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProcess } from "../../src/base/process.ts";
import goTest from "../../src/languages/go/go-test.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";

async function askGo(...words: string[]): Promise<string | undefined> {
  const result = await runProcess(["go", ...words], { timeoutMs: 60_000 }).catch(() => undefined);
  return result?.exitCode === 0 ? result.stdout.head.toString("utf8").trim() : undefined;
}

/** The machine's own build cache in the test's home folder: the standard library takes half a minute to compile. */
export async function shareBuildCache(home: string): Promise<void> {
  const cache = await askGo("env", "GOCACHE");
  if (cache === undefined) return;
  mkdirSync(cache, { recursive: true });
  mkdirSync(join(home, ".cache"), { recursive: true });
  symlinkSync(cache, join(home, ".cache/go-build"));
}

const prices = "freight/prices.go";
const buildError = { type: "BuildError", message: /undefined: unknown/, frames: ["broken/broken_test.go:6"] };

export const goFixtures: readonly FrameworkFixture[] = [
  {
    framework: goTest,
    repository: "go-test",
    unavailable: async () => ((await askGo("version")) === undefined ? "there is no go" : undefined),
    prepare: (root) => shareBuildCache(dirname(root)),
    detected: "go test ./...",
    statuses: {
      "broken/broken_test.go::TestAnswer": "failed",
      "broken/broken_test.go::TestOther": "failed",
      "freight/assertions_test.go::TestAssertion": "failed",
      "freight/hostile_test.go::TestBeforeTheOthers": "passed",
      "freight/hostile_test.go::TestHangs": "timed-out",
      "freight/hostile_test.go::TestPanicsInPart": "failed",
      "freight/hostile_test.go::TestPanicsInPart/first": "passed",
      "freight/hostile_test.go::TestPanicsInPart/second": "failed",
      "freight/hostile_test.go::TestPanicsInPart/third": "passed",
      "freight/hostile_test.go::TestPanicsElsewhere": "failed",
      "freight/hostile_test.go::TestExits": "failed",
      "freight/hostile_test.go::TestAfterTheOthers": "passed",
      "freight/outside_test.go::TestUnknownKind": "passed",
      "freight/prices_test.go::TestLightParcel": "passed",
      "freight/prices_test.go::TestHeavyParcel": "failed",
      "freight/prices_test.go::TestBases": "failed",
      "freight/prices_test.go::TestBases/letter_of_post/mail": "passed",
      "freight/prices_test.go::TestBases/box_of_post/mail": "failed",
      "freight/prices_test.go::TestStrike": "skipped",
      "freight/prices_test.go::TestNoWeights": "failed",
      "freight/prices_test.go::TestParallel": "passed",
      "freight/prices_test.go::TestParallel/letter": "passed",
      "freight/prices_test.go::TestParallel/box": "passed",
      "freight/prices_test.go::ExampleBase": "passed",
      "labels/labels_test.go::TestLine": "failed",
    },
    failures: {
      "broken/broken_test.go::TestAnswer": buildError,
      "broken/broken_test.go::TestOther": buildError,
      "labels/labels_test.go::TestLine": {
        type: "VetError",
        message: /wrong type/,
        frames: ["labels/labels_test.go:8"],
      },
      "freight/assertions_test.go::TestAssertion": {
        type: "AssertionError",
        message: /^Not equal:\nexpected: 7\nactual {2}: 5\nof the heaviest$/,
        frames: ["freight/assertions_test.go:23", "freight/assertions_test.go:16"],
      },
      "freight/hostile_test.go::TestHangs": {
        type: "TimeoutError",
        message: /took longer than/,
        frames: [],
      },
      "freight/hostile_test.go::TestPanicsInPart/second": {
        type: "panic",
        message: /index out of range \[0\] with length 0/,
        frames: ["freight/hostile_test.go:24", `${prices}:41`],
      },
      "freight/hostile_test.go::TestPanicsElsewhere": {
        type: "panic",
        message: /^nobody catches this$/,
        frames: ["freight/hostile_test.go:32"],
      },
      "freight/hostile_test.go::TestExits": { type: "Crash", message: /exit code 3/, frames: [] },
      "freight/prices_test.go::TestHeavyParcel": {
        type: "AssertionError",
        message: /^got 650, want 651$/,
        frames: ["freight/prices_test.go:17"],
      },
      "freight/prices_test.go::TestBases": {
        type: "AssertionError",
        message: /got 450, want 451/,
        frames: [],
      },
      "freight/prices_test.go::TestNoWeights": {
        type: "panic",
        message: /index out of range/,
        frames: ["freight/prices_test.go:36", `${prices}:41`],
      },
    },
    coverage: {
      "freight/hostile_test.go::TestHangs": { [prices]: [36] },
      "freight/hostile_test.go::TestPanicsInPart/second": { [prices]: [41, 42] },
      "freight/prices_test.go::TestLightParcel": { [prices]: [16, 17, 20, 25, 26, 29, 32] },
      "freight/prices_test.go::TestHeavyParcel": { [prices]: [16, 17, 20, 25, 26, 29, 30, 32, 36] },
      "freight/prices_test.go::TestBases/box_of_post/mail": { [prices]: [16, 17, 20] },
      "freight/prices_test.go::TestNoWeights": { [prices]: [41, 42] },
      "freight/prices_test.go::ExampleBase": { [prices]: [16, 17, 20] },
      "freight/outside_test.go::TestUnknownKind": { [prices]: [16, 17, 18, 25, 26, 27] },
    },
    oneTest: { package: "", target: "freight/prices_test.go", name: "TestLightParcel" },
    hangingTest: { package: "", target: "freight/hostile_test.go", name: "TestHangs" },
    killed: {
      command: "go test -tags=endless ./endless",
      finished: "endless/endless_test.go::TestBefore",
      during: "endless/endless_test.go::TestEndless",
    },
  },
];
