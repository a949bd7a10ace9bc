/** `millwright trace` on Java: one run of a Maven build, in which a test fails. */
import { describe, expect, test } from "vitest";
import { findMissingMaven } from "../contract/test-frameworks-java.ts";
import { createPlayground, fingerprint } from "./millwright.ts";

interface Call {
  readonly function: { readonly name: string; readonly path: string; readonly line: number };
  readonly how: string;
  readonly value?: { readonly j?: unknown; readonly d?: string };
  readonly test?: string;
  readonly args: readonly (readonly [string, { readonly d?: string }])[];
  readonly children: readonly Call[];
}

const missing = await findMissingMaven();

describe.skipIf(missing !== undefined)("a trace of Java", () => {
  test("each test's calls with their values, callees near what is asked for, and not a byte of the project changes", async () => {
    const playground = createPlayground();
    try {
      const repository = playground.copyRepository("repair-java");
      const before = fingerprint(repository);
      const words = ["--instrument", "src/main/**/Berth.java:book", "--depth", "1", "--json", "--"];
      const end = await playground.start(["trace", ...words, "mvn", "-o", "-B", "-q", "test"], {
        cwd: repository,
      }).ended;
      expect(end.exitCode, end.stderr).toBe(0);
      const report = JSON.parse(end.stdout) as {
        command: { exitCode: number };
        processes: { language: string; roots: Call[] }[];
      };
      expect(report.command.exitCode).toBe(1);
      expect(report.processes.map(({ language }) => language)).toEqual(["java"]);
      const roots = report.processes.flatMap((each) => each.roots);
      expect(new Set(roots.map(({ function: { name, path, line } }) => `${name} ${path}:${line}`))).toEqual(
        new Set(["Berth.book src/main/java/org/example/quay/Berth.java:30"]),
      );
      const of = (name: string): Call[] => roots.filter((call) => call.test?.endsWith(`.BerthTest.${name}`));
      const failing = of("takesTheNextShipInTheHourInWhichOneLeaves");
      expect(failing.map(({ value }) => value?.j)).toEqual([true, false]);
      expect(failing[1]?.children.map((call) => [call.function.name, call.value?.j])).toEqual([
        ["Berth.isDeepEnough", true],
        ["Berth.isFree", false],
      ]);
      expect(failing[1]?.args.map(([name, { d }]) => `${name}=${d}`)).toEqual([
        "this=Berth{depth=9, stays=[Stay{from=6, until=10}]}",
        'ship=Ship{name="Alma", draught=8}',
        "stay=Stay{from=10, until=12}",
      ]);
      expect(fingerprint(repository)).toBe(before);
    } finally {
      playground.remove();
    }
  });
});
