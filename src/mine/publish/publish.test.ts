import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Candidate } from "../contract.ts";
import type { HistoryTrees } from "../history-trees.ts";
import type { MineSettings } from "../settings.ts";
import { type PublishRequest, publish } from "./publish.ts";
import { readVersions, writeVersions } from "./versions.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-publish-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const head = "a".repeat(40);
const unfit = { id: "acme__ledger-3", cause: "unfit", detail: "the gold patch resolves nothing" };

function republish(retired: PublishRequest["retired"] = []) {
  const settings = { repository: "acme/ledger", gitDirectory: folder, mostFiles: 15, mostLines: 500 };
  return publish({
    settings: partOf<MineSettings>({
      ...{ ...settings, linkedOnly: false, given: {}, suiteLimitMs: 1, sampleSize: 1, seed: 1 },
      ...{ cutoffs: [], issues: new Map() },
    }),
    ...{ folder, trees: partOf<HistoryTrees>({}), reports: [], head, retired, unfinished: [] },
    candidates: [partOf<Candidate>({ change: { id: unfit.id } })],
  });
}

test.each(["tasks.jsonl", "card.md", "SHA256SUMS", "published.json"])(
  "a retired task stays retired if Millwright cannot write %s",
  async (file) => {
    const first = { schema: "millwright.mine-version/1" as const, version: 1, head, tasks: 1 };
    await writeVersions(folder, [{ ...first, added: [unfit.id], retired: [], sha256: "" }]);
    mkdirSync(join(folder, file));
    await expect(republish([unfit])).rejects.toThrow(file);
    rmSync(join(folder, file), { recursive: true });
    const card = await republish();
    expect(readFileSync(join(folder, "tasks.jsonl"), "utf8")).toBe("");
    expect(card).toMatchObject({ version: 2, tasks: 0, retired: 1 });
    expect(await readVersions(folder)).toMatchObject([{ version: 1 }, { version: 2, retired: [unfit] }]);
  },
);
