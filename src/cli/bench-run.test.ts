import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { hashText } from "../base/hash.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import type { BenchFlags, BenchWork } from "./bench-flags.ts";
import { hashFiles, refuseShown } from "./bench-run.ts";

const taskOf = (failToPass: string[]) =>
  partOf<GradedTask>({
    ...{ dataset: "millwright", task: { id: "t" } },
    hidden: { lists: { failToPass, passToPass: [], flaky: [] } },
  });

test("a batch names its files by their content: the hidden parts, too, and files that can be read once", () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-hashes-"));
  const file = join(folder, "tasks.jsonl");
  writeFileSync(file, "tasks");
  writeFileSync(join(folder, "tasks.hidden.jsonl"), "hidden");
  const hashes = (lists: string[]) =>
    hashFiles({
      ...{ file, allTasks: [taskOf(lists)], options: { rules: [] } },
      flags: partOf<BenchFlags>({ lists: "/dev/fd/63" }),
    });
  expect(hashes(["a"])).toMatchObject({ tasks: hashText("tasks"), hidden: hashText("hidden") });
  expect(hashes(["a"])["lists"]).toBe(hashes(["a"])["lists"]);
  expect(hashes(["a"])["lists"]).not.toBe(hashes(["b"])["lists"]);
});

describe("an agent's folder with a file of the bench is refused", () => {
  const root = mkdtempSync(join(tmpdir(), "millwright-shown-"));
  const [agent, link] = [join(root, "agent"), join(root, "link")];
  mkdirSync(agent);
  symlinkSync(agent, link);
  writeFileSync(join(agent, "tasks.hidden.jsonl"), "hidden");
  writeFileSync(join(root, "lists.jsonl"), "lists");
  symlinkSync(join(root, "lists.jsonl"), join(agent, "lists.jsonl"));
  const refuse = (given: Partial<BenchFlags>, out?: string, store?: string, agentFolder = agent) => {
    const options = { directory: join(root, "bench"), place: { repositories: join(root, "repositories") } };
    const { results = join(root, "bench", "results"), logs = join(root, "bench", "logs") } = given;
    const work = partOf<BenchWork>({
      ...{ values: { agentFolder }, file: join(root, "tasks.jsonl"), flags: partOf<BenchFlags>(given) },
      ...{ store: { directory: results }, options: { ...options, logs: { directory: logs } } },
    });
    return () =>
      refuseShown(work, { out, queue: store === undefined ? undefined : { queue: "postgres://x/y", store } });
  };

  test.each([
    ["--hidden", { hidden: join(agent, "tasks.hidden.jsonl") }],
    ["--lists", { lists: join(agent, "own.jsonl") }],
    ["--environments", { environments: join(agent, "environments.yml") }],
    ["--results", { results: join(agent, "results") }],
    ["--logs", { logs: join(agent, "logs") }],
    ["a folder through a link", { results: join(link, "new", "results") }],
  ])("%s", (_, flags) => {
    expect(refuse(flags)).toThrow(expect.objectContaining({ code: "usage" }));
  });

  test.each([
    ["--out", join(agent, "out"), undefined],
    ["--store", undefined, join(agent, "store")],
  ])("%s", (_, out, store) => {
    expect(refuse({}, out, store)).toThrow("which the agent must not see");
  });

  test("other files, and a bucket's name, are no reason", () => {
    expect(
      refuse({ lists: join(agent, "lists.jsonl") }, join(root, "agent-out"), "s3://bucket"),
    ).not.toThrow();
    expect(refuse({}, undefined, undefined, "/")).toThrow("which the agent must not see");
  });
});
