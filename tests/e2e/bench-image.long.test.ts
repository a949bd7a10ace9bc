/** Tasks that run in the image that their benchmark publishes: the project's place in it, its tools, and what was built there. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { members } from "../contract/sandbox-fixture.ts";
import { makeImage, makeRootFolder, removeImage } from "../docker-image.ts";
import { makeRepository, readDocument, replaceIn, startBench, writeLines } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";

const missing = members.find(({ name }) => name === "docker")?.missing;
const inDocker = test.skipIf(missing !== undefined);
const name = `millwright-test-task:${process.pid}`;

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());
beforeAll(async () => {
  if (missing === undefined) await makeScalesImage("compiled\n");
});

/** Makes the image; `built`: the text of a file that the image has built. */
function makeScalesImage(built: string): Promise<void> {
  return makeImage({
    name,
    programs: ["sh", "env", "cat", "cp", "ls", "rm", "mkdir"],
    files: {
      "/testbed/weigh.sh": "echo 20\n",
      "/testbed/built.txt": built,
      "/opt/miniconda3/envs/testbed/bin/scale": "#!/bin/sh\necho ready\n",
    },
    changes: ["ENV PATH=/usr/bin"],
  });
}

afterAll(async () => {
  if (missing === undefined) await removeImage(name);
});

function makeScales() {
  return makeRepository(playground, "shell-scales", "acme/scales", () => {});
}

inDocker(
  `a task runs at its place in its image, with the image's tools${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  async () => {
    const scales = makeScales();
    const row = {
      instance_id: "acme__scales-1",
      repo: "acme/scales",
      base_commit: scales.baseCommit,
      problem_statement: "weigh.sh says 20, and 30 is right.",
      patch: scales.patch((folder) => replaceIn(folder, "weigh.sh", "20", "30")),
      test_patch: scales.patch((folder) =>
        replaceIn(folder, "check.sh", "# further cases\n", 'expect "weighs thirty" "$(sh weigh.sh)" 30\n'),
      ),
      test_cmd: "sh check.sh",
      FAIL_TO_PASS: [],
      PASS_TO_PASS: [],
      image: name,
    };
    const tasks = join(playground.folder, "images.jsonl");
    writeLines(tasks, [row]);
    const flags = ["--sandbox", "docker", "--repeats", "1", "--json"];
    const published = readDocument(
      await startBench(playground, "check", tasks, "--published-images", ...flags).ended,
    );
    expect(published.tasks["acme__scales-1"]).toMatchObject({
      state: "fit",
      lists: {
        failToPass: ["command::ends with exit code 0", "command::weighs thirty"],
        passToPass: ["command::has the image's tools", "command::sees what the image has built"],
      },
    });
    // Another image under the same name: neither the results nor the environment of the first hold for it.
    await makeScalesImage("something else\n");
    try {
      const moved = readDocument(
        await startBench(playground, "check", tasks, "--published-images", ...flags).ended,
      );
      expect(moved.tasks["acme__scales-1"]).toMatchObject({
        lists: { passToPass: ["command::has the image's tools"] },
      });
    } finally {
      await makeScalesImage("compiled\n");
    }
  },
);

/** Checks two tasks of one recipe in the sandbox. Returns the document, and the names of the layers. */
async function checkRecipe(sandbox: string, image: Readonly<Record<string, unknown>>) {
  const scales = makeScales();
  const row = {
    repo: "acme/scales",
    base_commit: scales.baseCommit,
    problem_statement: "weigh.sh says 20, and 30 is right.",
    patch: scales.patch((folder) => replaceIn(folder, "weigh.sh", "20", "30")),
    test_patch: scales.patch((folder) =>
      replaceIn(
        folder,
        "check.sh",
        "# further cases\n",
        'expect "weighs thirty" "$(sh weigh.sh)" 30\nexpect "has the layer" "$(cat /opt/said.txt)" "echo 20"\n',
      ),
    ),
    test_cmd: "sh check.sh",
    FAIL_TO_PASS: [],
    PASS_TO_PASS: [],
  };
  const tasks = join(playground.folder, "recipe.jsonl");
  writeLines(
    tasks,
    recipeIds.map((id) => ({ ...row, instance_id: id })),
  );
  const environments = join(playground.folder, "environments.json");
  const steps = ["mkdir -p /opt/tools", { run: "cat weigh.sh >/opt/said.txt", files: ["weigh.sh"] }];
  const rules = [{ repository: "acme/*", image: { ...image, steps } }];
  writeLines(environments, [{ schema: "millwright.environments/1", rules }]);
  const flags = ["--environments", environments, "--sandbox", sandbox, "--repeats", "1", "--json"];
  const benchDirectory = join(playground.folder, "bench-recipe");
  const checked = readDocument(
    await startBench(playground, "check", tasks, ...flags, "--bench-dir", benchDirectory).ended,
  );
  const built = Object.keys(JSON.parse(readFileSync(join(benchDirectory, "images.json"), "utf8")));
  return { checked, built };
}

const recipeIds = ["acme__scales-3", "acme__scales-4"];

function expectLayers({ checked, built }: Awaited<ReturnType<typeof checkRecipe>>): void {
  for (const id of recipeIds)
    expect(checked.tasks[id]).toMatchObject({
      state: "fit",
      lists: { passToPass: expect.arrayContaining(["command::has the layer"]) },
    });
  const layer = expect.stringMatching(/millwright-built[:/][0-9a-f]{24}$/);
  expect(built).toEqual([layer, layer]);
}

inDocker("tasks run in an image that Millwright builds from a recipe, and share its layers", async () => {
  const path = ["/opt/miniconda3/envs/testbed/bin"];
  const made = await checkRecipe("docker", { base: name, root: "/testbed", path });
  for (const image of made.built.toReversed()) await removeImage(image);
  expectLayers(made);
});

const bubblewrap = members.find((member) => member.name === "bubblewrap");
const inBubblewrap = test.skipIf(bubblewrap?.missing !== undefined);
const withOverlays = test.skipIf(bubblewrap?.mounts !== "overlay");

withOverlays("without a daemon, the recipe's layers lie over the host's own programs", async () =>
  expectLayers(await checkRecipe("bubblewrap", { base: "no/such-image" })),
);

inBubblewrap("without a daemon, the recipe's layers lie over a root folder", async () => {
  const folder = join(playground.folder, "base");
  const programs = ["sh", "env", "cat", "cp", "ls", "rm", "mkdir"];
  makeRootFolder(folder, {
    programs,
    files: { "/opt/miniconda3/envs/testbed/bin/scale": "#!/bin/sh\necho ready\n" },
  });
  const path = ["/opt/miniconda3/envs/testbed/bin"];
  const made = await checkRecipe("bubblewrap", { base: "no/such-image", folder, root: "/testbed", path });
  expectLayers(made);
  expect(made.checked.tasks["acme__scales-3"]).toMatchObject({
    lists: { passToPass: expect.arrayContaining(["command::has the image's tools"]) },
  });
});

inBubblewrap("grading from logs refuses a log of another image under the same name", async () => {
  const scales = makeScales();
  const folder = join(playground.folder, "base");
  const scale = "/opt/miniconda3/envs/testbed/bin/scale";
  makeRootFolder(folder, {
    programs: ["sh", "env", "cat", "cp", "ls", "rm", "mkdir"],
    files: { [scale]: "#!/bin/sh\necho ready\n", "/testbed/built.txt": "compiled\n" },
  });
  const row = {
    instance_id: "acme__scales-5",
    repo: "acme/scales",
    base_commit: scales.baseCommit,
    problem_statement: "weigh.sh says 20, and 30 is right.",
    patch: scales.patch((place) => replaceIn(place, "weigh.sh", "20", "30")),
    test_patch: scales.patch((place) =>
      replaceIn(place, "check.sh", "# further cases\n", 'expect "weighs thirty" "$(sh weigh.sh)" 30\n'),
    ),
    test_cmd: "sh check.sh",
    FAIL_TO_PASS: ["command::weighs thirty"],
    PASS_TO_PASS: ["command::has the image's tools"],
  };
  const tasks = join(playground.folder, "logs.jsonl");
  writeLines(tasks, [row]);
  const environments = join(playground.folder, "environments.json");
  const image = { name: folder, root: "/testbed", path: ["/opt/miniconda3/envs/testbed/bin"] };
  const rules = [{ repository: "acme/*", image }];
  writeLines(environments, [{ schema: "millwright.environments/1", rules }]);
  const flags = ["--environments", environments, "--predictions", "gold", "--json"];
  const inSandbox = [...flags, "--sandbox", "bubblewrap"];
  const gradeFromLogs = async (): Promise<unknown> =>
    readDocument(await startBench(playground, "grade", tasks, ...flags, "--from-logs").ended).tasks[
      "acme__scales-5"
    ];
  await startBench(playground, "grade", tasks, ...inSandbox).ended;
  expect(await gradeFromLogs()).toMatchObject({ outcome: "resolved" });
  writeFileSync(join(folder, scale), "#!/bin/sh\necho broken\n");
  const moved = readDocument(await startBench(playground, "grade", tasks, ...inSandbox).ended);
  expect(moved.tasks["acme__scales-5"]).toMatchObject({ outcome: "unresolved" });
  writeFileSync(join(folder, scale), "#!/bin/sh\necho ready\n");
  const check = ["--environments", environments, "--sandbox", "bubblewrap", "--repeats", "1", "--json"];
  await startBench(playground, "check", tasks, ...check).ended;
  expect(await gradeFromLogs()).toMatchObject({
    outcome: "infrastructure-error",
    reason: expect.stringContaining("an earlier image"),
  });
});

inDocker(
  "a command on one repository takes the image, the project's place in it and its tools as flags",
  async () => {
    const { folder } = makeScales();
    const command = [
      "tests",
      "--repo",
      folder,
      "--sandbox",
      "docker",
      "--test-command",
      "sh check.sh",
      "--json",
    ];
    const place = ["--image-root", "/testbed", "--image-path", "/opt/miniconda3/envs/testbed/bin"];
    const end = await playground.start([...command, "--image", name, ...place]).ended;
    expect(end.exitCode).toBe(0);
    expect(end.stdout).toContain("sees what the image has built");
    const without = await playground.start([...command, ...place]).ended;
    expect([without.exitCode, without.stderr]).toEqual([
      2,
      expect.stringContaining('Give the image as "image"'),
    ]);
  },
);

inDocker("a check does not begin if the registry of a missing image does not answer", async () => {
  const scales = makeScales();
  const tasks = join(playground.folder, "missing.jsonl");
  const patch = scales.patch((folder) => replaceIn(folder, "weigh.sh", "20", "30"));
  const row = { instance_id: "acme__scales-2", repo: "acme/scales", base_commit: scales.baseCommit, patch };
  writeLines(tasks, [{ ...row, image: "127.0.0.1:9/no/image:1", test_cmd: "sh check.sh" }]);
  const flags = ["--retries", "0", "--published-images", "--json"];
  const end = await startBench(playground, "check", tasks, "--sandbox", "docker", ...flags).ended;
  expect(end.exitCode).toBe(3);
  expect(end.stderr).toContain("the registry 127.0.0.1:9 does not answer for 127.0.0.1:9/no/image:1");
  const local = await startBench(playground, "check", tasks, "--sandbox", "local", ...flags).ended;
  expect([local.exitCode, local.stderr]).toEqual([2, expect.stringContaining("Choose the sandbox docker")]);
});
