/** Many candidates in one start of Maven, on a copy of a fixture, with a program that holds all of them. */

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { renderOutput } from "../../src/base/captured-output.ts";
import { runProcess } from "../../src/base/process.ts";
import { composeSchema } from "../../src/instrument/compose-schema.ts";
import type { BatchReport } from "../../src/languages/contract.ts";
import java from "../../src/languages/java/java.ts";
import maven from "../../src/languages/java/maven.ts";
import { nothingReceived } from "../../src/languages/report-frames.ts";
import { findMissingMaven, quickMaven } from "./test-frameworks-java.ts";

const repository = join(import.meta.dirname, "../fixtures/repos/maven-junit5");
const runtime = join(import.meta.dirname, "../../src/languages/runtime");
const path = "src/main/java/org/example/parcels/Prices.java";
const text = readFileSync(join(repository, path), "utf8");
const target = "org.example.parcels.PricesTest";
const tests = [
  { package: "", target, name: "base(String, int)[3]" },
  { package: "", target, name: "unknownKind" },
];

const changes: readonly (readonly [before: string, after: string])[] = [
  ["return 450;", "return 451;"],
  ["return 450;", "return kind;"],
  ["return 450;", "for (;;) ;"],
  ['throw new IllegalArgumentException("no price for \'" + kind + "\'");', ";"],
  ['throw new IllegalArgumentException("no price for \'" + kind + "\'");', "return 451;"],
  ["return 450;", 'System.exit(3); throw new Error("gone");'],
  ["return 450;\n        }", "return 451;\n        }\n        if (kind != null) return 1;"],
];
const variants = changes.map(([before, after], index) => {
  const start = text.indexOf(before);
  return { id: index + 1, start, end: start + before.length, replacement: after };
});

const folders: string[] = [];

async function runBatch(chosen: typeof variants): Promise<{ report: BatchReport; blamed: number[] }> {
  const folder = mkdtempSync(join(tmpdir(), "millwright-batch-"));
  folders.push(folder);
  const root = join(folder, "repository");
  const reportFolder = join(folder, "scratch", "report");
  cpSync(repository, root, { recursive: true });
  mkdirSync(reportFolder, { recursive: true });
  const schema = await composeSchema({ path, text }, java, chosen);
  writeFileSync(join(root, path), schema.text);
  const candidates = chosen.map(({ id }) => ({ id }));
  const project = { files: ["pom.xml", path], read: () => undefined, exists: () => false };
  const [command] = maven.detect(project);
  if (command === undefined) throw new Error("no command");
  const { run, env } = maven.batch.invoke({
    command,
    project,
    tests,
    candidates,
    testTimeoutMs: 3000,
    stopAtFirstFailure: false,
    parallel: 2,
    paths: { root, runtime, report: reportFolder, channel: reportFolder },
  });
  const result = await runProcess(run as string[], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", ...quickMaven, ...env },
    timeoutMs: 200_000,
  });
  const files = readdirSync(reportFolder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const report = maven.batch.parse({
    received: nothingReceived,
    files: new Map(files.map((entry) => [entry.name, readFileSync(join(reportFolder, entry.name))])),
    stdout: renderOutput(result.stdout),
    stderr: renderOutput(result.stderr),
    exitCode: result.exitCode,
    root,
    candidates,
    tests,
  });
  const blamed = report.complaints.flatMap(({ file, line }) =>
    file === path
      ? [...schema.places].flatMap(([id, { startLine, endLine }]) =>
          startLine <= line && line <= endLine ? id : [],
        )
      : [],
  );
  return { report, blamed };
}

const reason = await findMissingMaven();

describe.skipIf(reason !== undefined)(
  `many candidates in one start of Maven${reason ? ` (skipped: ${reason})` : ""}`,
  () => {
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });

    test("names those that do not compile", async () => {
      const { report, blamed } = await runBatch(variants);
      expect(blamed).toEqual([2]);
      expect(report.outcomes.size).toBe(0);
    });

    test("says of each what its tests say, though one hangs and one ends the machine", async () => {
      const { report } = await runBatch(variants.filter(({ id }) => id !== 2));
      expect(report.invalid).toBeUndefined();
      expect(report.complaints).toEqual([]);
      const statuses = new Map(
        [...report.outcomes].map(([id, outcomes]) => [id, outcomes.map((outcome) => outcome.status).join()]),
      );
      expect(statuses.get(1)).toBe("passed,failed");
      expect(statuses.get(4)).toBe("failed,failed");
      expect(statuses.get(5)).toBe("failed,passed");
      expect(statuses.get(7)).toBe("passed,passed");
      expect(report.outcomes.get(3)?.[0]?.failure?.type).toBe("TimeoutError");
      expect(statuses.get(6)).not.toContain("passed,passed");
      expect(report.outcomes.get(1)?.[1]?.failure?.frames.map((frame) => frame.file)).toContain(path);
    });
  },
);
