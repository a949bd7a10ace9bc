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

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "millwright-batch-"));
  folders.push(folder);
  cpSync(repository, join(folder, "repository"), { recursive: true });
  return folder;
}

interface Ran {
  readonly report: BatchReport;
  readonly blamed: readonly number[];
  readonly output: string;
}

async function runBatch(chosen: typeof variants, folder = openFolder()): Promise<Ran> {
  const root = join(folder, "repository");
  const reportFolder = join(folder, "scratch", "report");
  rmSync(reportFolder, { recursive: true, force: true });
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
  return { report, blamed, output: renderOutput(result.stdout) };
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

    test("compiles the next program of a checkout without Maven", async () => {
      const folder = openFolder();
      const scans = "Scanning for projects";
      const first = await runBatch(variants.slice(0, 1), folder);
      expect(first.output).toContain(scans);
      const broken = await runBatch(variants.slice(0, 2), folder);
      expect(broken).toMatchObject({ blamed: [2], report: { complaints: [{ file: path }] } });
      const next = await runBatch(variants.slice(3, 5), folder);
      expect(broken.output + next.output).not.toContain(scans);
      const statuses = [...next.report.outcomes].map(([id, all]) => [
        id,
        all.map(({ status }) => status).join(),
      ]);
      expect(statuses).toEqual([
        [4, "failed,failed"],
        [5, "failed,passed"],
      ]);
      writeFileSync(join(folder, "repository/src/main/resources.txt"), "new");
      const other = await runBatch(variants.slice(0, 1), folder);
      expect(other.output).toContain(scans);
    }, 400_000);

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
