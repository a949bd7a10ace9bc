/** The library as docs/library.md shows it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as library from "../../src/library.ts";
import {
  listRuns,
  MillwrightError,
  type RunEvent,
  readRun,
  replay,
  resume,
  solve,
} from "../../src/library.ts";
import { createPlayground, type Playground } from "./millwright.ts";

const root = join(import.meta.dirname, "..", "..");
let playground: Playground;
let repository: string;
beforeAll(() => {
  playground = createPlayground();
  repository = playground.copyRepository("repair-python");
});
afterAll(() => playground.remove());

test("the documentation shows the example that package.long.test.ts runs as an installation has it", () => {
  const [, code] =
    /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, "docs", "library.md"), "utf8")) ?? [];
  expect(code).toBe(readFileSync(join(root, "tests", "library", "solve-and-read.ts"), "utf8"));
});

test("the package's door has all of the library, and tells an older Node what it needs", () => {
  const door = join(root, "bin", "library.mjs");
  const [, names = ""] = /export const \{([^}]*)\}/.exec(readFileSync(door, "utf8")) ?? [];
  expect(
    names
      .split(",")
      .map((name) => name.trim())
      .sort(),
  ).toEqual(Object.keys(library).sort());
  const older = 'Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })';
  const { stderr, status } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${older}`, door],
    {
      encoding: "utf8",
    },
  );
  expect(stderr).toContain("needs Node 22.18 or later, and this is 20.20.2");
  expect(status).toBe(1);
});

test("a run that is stopped can be resumed, read and replayed; nothing of the process is read for it", async () => {
  const { PATH, HOME } = process.env;
  const runsDir = join(playground.folder, "library-runs");
  const place = { environment: { PATH, HOME, XDG_CONFIG_HOME: join(playground.folder, "none") }, runsDir };
  const stop = new AbortController();
  const heard: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => {
    heard.push(event);
    if (event.event === "candidate-judged") stop.abort();
  };
  const settings = { runsDir, sandbox: process.env["MILLWRIGHT_TEST_SANDBOX"] ?? "auto" };
  const stopped = solve({ ...place, repository, settings, signal: stop.signal, onEvent });
  await expect(stopped).rejects.toMatchObject({ name: "MillwrightError", code: "interrupted" });
  expect(await listRuns(place)).toMatchObject([{ state: "resumable", repository }]);

  const report = await resume({ ...place, run: "last" });
  expect(report.outcome).toBe("verified");
  const read = await readRun({ ...place, run: report.run });
  expect(read).toMatchObject({ state: "verified", report, description: { task: { repository } } });
  const nameOf = ({ event, at }: RunEvent): string => `${at} ${event}`;
  expect(read.events.slice(0, heard.length).map(nameOf)).toEqual(heard.map(nameOf));
  expect(read.findings?.faults.length).toBeGreaterThan(0);
  expect(await replay({ ...place, run: report.run })).toMatchObject({ same: true, of: report.run });
});

test.each([
  [{ repository: "/nowhere" }, "/nowhere is not a folder"],
  [{ settings: { maxTime: "soon" } }, 'The setting "maxTime" is wrong'],
  [{ settings: { strategy: "react" } }, "needs a model"],
  [{ switches: { without: ["paint"] } }, "There is no action or stage paint"],
])("%j is a wrong use", async (options, message) => {
  const asked = solve({ repository: root, environment: {}, ...options });
  await expect(asked).rejects.toThrow(message);
  await expect(asked).rejects.toBeInstanceOf(MillwrightError);
});
