import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { succeed } from "../../base/result.ts";
import type { LanguageServers } from "../../lsp/language-servers.ts";
import { absentServers } from "../../lsp/with-fallback.ts";
import type { Checkout, Workspace } from "../../workspace/contract.ts";
import { namePaths } from "../../workspace/path-names.ts";
import { openRecorder } from "../record/recorder.ts";
import { openRunServers } from "./run-servers.ts";

const nothing = partOf<Checkout & Workspace>({ names: namePaths("/repository", []) });

test("an answer is asked once in the life of a run; a resumed run starts no server for it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "millwright-servers-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let starts = 0;
  let questions = 0;
  const openServers = (): LanguageServers => {
    starts += 1;
    return {
      ...absentServers("not asked for here"),
      hover: async () => {
        questions += 1;
        return succeed({ by: "test", value: `answer ${questions}`, isWhole: true });
      },
    };
  };
  const run = async (tree: string): Promise<unknown> => {
    const recorder = await openRecorder(directory, () => {});
    const context = { recorder, workspace: nothing, code: { openServers } };
    const servers = openRunServers(context, nothing, () => tree);
    const { signal } = new AbortController();
    const at = { path: "a.py", line: 1 };
    const twice = [await servers.asked.hover(at, { signal }), await servers.asked.hover(at)];
    expect(twice[0]).toEqual(twice[1]);
    await servers.close();
    recorder.close();
    return twice[0];
  };
  expect(await run("one")).toMatchObject({ ok: true, value: { value: "answer 1" } });
  expect(await run("one")).toMatchObject({ ok: true, value: { value: "answer 1" } });
  expect(starts).toBe(1);
  expect(await run("other")).toMatchObject({ ok: true, value: { value: "answer 2" } });
});
