/** What is Go's own: several modules, subtests of one name, a package that its TestMain fails. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import { type OpenFixture, openFixture } from "./test-frameworks-fixture.ts";
import { goFixtures } from "./test-frameworks-go.ts";

const [fixture] = goFixtures;
if (fixture === undefined) throw new Error("there is no fixture of Go");

function statusesOf(outcomes: readonly TestOutcome[]): Record<string, string> {
  return Object.fromEntries(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
}

describe.skipIf((await fixture.unavailable()) !== undefined)("go test", () => {
  let open: OpenFixture;
  const command = "go test -C store ./... && go test -C tools/count ./...";
  const full = { package: "example.org/store", target: "store/store_test.go", name: "TestFull" };

  beforeAll(async () => {
    open = await openFixture({ ...fixture, repository: "go-modules" });
  });
  afterAll(() => open?.close());

  test("runs the tests of several modules, each under its module's path", async () => {
    const run = await open.run({ command, coverage: true });
    expect(run.report.invalid).toBeUndefined();
    expect(statusesOf(run.report.outcomes)).toEqual({
      "example.org/store/store/store_test.go::TestFull": "failed",
      "example.org/count/tools/count/count_test.go::TestAdd": "passed",
      "example.org/count/tools/count/count_test.go::TestTwice": "passed",
      "example.org/count/tools/count/count_test.go::TestTwice/same": "passed",
      "example.org/count/tools/count/count_test.go::TestTwice/same#01": "passed",
    });
    expect(run.report.coverage.get(formatTestKey(full))).toEqual({ "store/store.go": [5] });
  });

  test("runs a test of one of them, and one of two subtests of one name", async () => {
    const target = "tools/count/count_test.go";
    const second = { package: "example.org/count", target, name: "TestTwice/same#01" };
    const run = await open.run({ command, selection: { kind: "tests", tests: [full, second] } });
    expect(statusesOf(run.report.outcomes)).toEqual({
      [formatTestKey(full)]: "failed",
      [formatTestKey(second)]: "passed",
    });
  });

  test("tells tests that passed from a package that failed by what stands around them", async () => {
    mkdirSync(join(open.root, "store/around"));
    writeFileSync(
      join(open.root, "store/around/around_test.go"),
      [
        "package around",
        'import ("fmt"; "os"; "testing")',
        'func TestMain(m *testing.M) { m.Run(); fmt.Println("a leak was found"); os.Exit(1) }',
        "func TestFine(t *testing.T) {}",
      ].join("\n"),
    );
    const run = await open.run({ command: "cd store && go test ./around" });
    expect(run.report.invalid).toBeUndefined();
    expect(statusesOf(run.report.outcomes)).toEqual({
      "store/around/around_test.go::TestFine": "passed",
      "store/around/around_test.go::": "errored",
    });
    const broken = run.report.outcomes.find((outcome) => outcome.status === "errored");
    expect(broken?.failure?.message).toMatch(/exit code 1.*a leak was found/);
  });

  test("tells where a test waits that exceeds its limit", async () => {
    mkdirSync(join(open.root, "store/waits"));
    writeFileSync(
      join(open.root, "store/waits/waits_test.go"),
      [
        "package waits",
        'import ("testing"; "time")',
        "func wait() {",
        "\ttime.Sleep(time.Minute)",
        "}",
        "func TestWaits(t *testing.T) {",
        "\twait()",
        "}",
      ].join("\n"),
    );
    const run = await open.run({ command: "cd store && go test ./waits", testTimeoutMs: 1000 });
    const [waits] = run.report.outcomes;
    expect(waits?.status).toBe("timed-out");
    const frames = waits?.failure?.frames.filter(({ file }) => file.startsWith("store/")) ?? [];
    expect(frames.map(({ line }) => line)).toEqual([7, 4]);
  });

  test("runs packages that belong to no module", async () => {
    const plain = await openFixture({ ...fixture, repository: "go-gopath" });
    try {
      const [found] = fixture.framework.detect(plain.project);
      expect(found?.command).toBe("GO111MODULE=off go test ./...");
      const run = await plain.run({ command: found?.command ?? "" });
      expect(run.report.invalid).toBeUndefined();
      expect(statusesOf(run.report.outcomes)).toEqual({
        "sums_test.go::TestAdd": "passed",
        "inner/a_test.go::TestAdd": "failed",
      });
    } finally {
      plain.close();
    }
  });
});
