import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { ImageStore, SandboxProvider } from "../sandbox/contract.ts";
import type { WorkspaceSandbox } from "../workspace/contract.ts";
import type { GradedTask } from "./graded-task.ts";
import type { GradingOptions } from "./open-task.ts";
import { findUnreachable } from "./preflight.ts";

const named = (id: string, name: string): GradedTask =>
  partOf<GradedTask>({
    dataset: "swe-bench",
    task: partOf<GradedTask["task"]>({ id, repository: "acme/ledger" }),
    environment: { image: { name } },
    hidden: partOf<GradedTask["hidden"]>({ tests: { files: [] } }),
  });

/** Options for tasks with images. `lacks`: the reasons of images that no registry answers for. */
function optionsOf(lacks: Readonly<Record<string, string>>, present: readonly string[] = []) {
  const asked: string[] = [];
  const images = partOf<ImageStore>({
    holdsFolders: false,
    find: async (name) => (present.includes(name) ? { id: name, bytes: 1 } : undefined),
    async findLack(name) {
      asked.push(name);
      return lacks[name];
    },
  });
  const sandbox = partOf<WorkspaceSandbox>({ provider: partOf<SandboxProvider>({ images }) });
  const options = partOf<GradingOptions>({
    sandbox,
    rules: [{ tasks: "*", repository: "**", image: "published" }],
    setupVariables: [],
    hostEnvironment: {},
    signal: new AbortController().signal,
  });
  return { asked, options };
}

async function check(names: readonly string[], lacks: Readonly<Record<string, string>>) {
  const { asked, options } = optionsOf(lacks);
  const tasks = names.map((name, at) => named(`ledger-${at}`, name));
  const error = await findUnreachable(async () => tasks, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { asked, error };
}

test("a registry that answers for one image of a batch is reached", async () => {
  const lacks = { "acme/one:1": "no such host" };
  const { asked, error } = await check(["acme/one:1", "acme/two:1", "acme/two:1", "acme/three:1"], lacks);
  expect(error).toBeUndefined();
  expect(asked).toEqual(["acme/one:1", "acme/two:1"]);
});

test("one message names each registry that does not answer, after three images at most", async () => {
  const names = [1, 2, 3, 4].map((at) => `acme/a:${at}`);
  const mirrored = "mirror.example:5000/acme/b:1";
  const lacks = Object.fromEntries([...names, mirrored].map((name) => [name, "no such host"]));
  const { asked, error } = await check([...names, mirrored], lacks);
  expect(asked).toEqual(["acme/a:1", "acme/a:3", "acme/a:4", mirrored]);
  expect(error).toMatchObject({
    code: "sandbox",
    message:
      "The batch cannot start on this machine: the default registry does not answer for acme/a:1, acme/a:2 and 2 more: no such host; the registry mirror.example:5000 does not answer for mirror.example:5000/acme/b:1: no such host",
    hint: "Connect this machine to the registry, load the images by hand, or name a mirror in a rule of your environments.",
  });
});

test("a registry that does not answer stops only the tasks without their images", async () => {
  const mirrored = ["mirror.example:5000/acme/b:1", "mirror.example:5000/acme/b:2"];
  const lacks = Object.fromEntries(mirrored.map((name) => [name, "no such host"]));
  const tasks = ["acme/a:1", ...mirrored].map((name, at) => named(`ledger-${at}`, name));
  const { options } = optionsOf(lacks, [mirrored[0] ?? ""]);
  const lacking = await findUnreachable(async () => tasks, options);
  expect([...lacking].map(([{ task }, reason]) => [task.id, reason])).toEqual([
    [
      "ledger-2",
      "the registry mirror.example:5000 does not answer for mirror.example:5000/acme/b:2: no such host",
    ],
  ]);
  await expect(findUnreachable(async () => tasks.slice(2), options)).rejects.toMatchObject({
    code: "sandbox",
  });
});
