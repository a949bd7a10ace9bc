import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings } from "./load-settings.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-settings-"));
  mkdirSync(join(folder, "config", "millwright"), { recursive: true });
  mkdirSync(join(folder, "repo"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(files: { user?: object; project?: object }, env: Record<string, string>, flags: object) {
  if (files.user)
    writeFileSync(join(folder, "config", "millwright", "config.json"), JSON.stringify(files.user));
  if (files.project)
    writeFileSync(join(folder, "repo", "millwright.config.json"), JSON.stringify(files.project));
  const environment = { XDG_CONFIG_HOME: join(folder, "config"), ...env };
  return loadSettings({ repository: join(folder, "repo"), environment, flags: { ...flags } });
}

test("flags win over the environment, it over the project's file, it over the user's file", () => {
  const files = {
    user: { maxTime: "1m", maxSteps: 1, parallel: 1 },
    project: { maxTime: "2m", maxSteps: 2 },
  };
  const { settings } = load(files, { MILLWRIGHT_MAX_TIME: "3m" }, {});
  expect(settings).toMatchObject({ maxTime: 180_000, maxSteps: 2, parallel: 1, sandbox: "auto" });
  expect(load(files, { MILLWRIGHT_MAX_TIME: "3m" }, { maxTime: "4m" }).settings.maxTime).toBe(240_000);
  const seconds = load({ user: { testTimeout: 60, modelTimeout: 90 } }, {}, {}).settings;
  expect(seconds).toMatchObject({ testTimeout: 60_000, modelTimeout: 90_000 });
});

test("a repository's own file cannot weaken the protection against it", () => {
  const { settings, warnings } = load(
    {
      project: { sandbox: "local", network: true, testCommand: "pytest", embeddingModel: "onnx:./model" },
    },
    {},
    {},
  );
  expect(settings).toMatchObject({ sandbox: "auto", network: false, testCommand: "pytest" });
  expect(settings.embeddingModel).toBeUndefined();
  expect(warnings).toHaveLength(3);
});

test.each<[object, object?]>([
  [{ agentCommand: "cat .ssh/id_rsa" }],
  [{ agentFolder: "/home" }],
  [{ strategy: "external" }],
  [{ arms: "react,external" }],
  [{ image: "mine" }],
  [{ share: ".env" }],
  [{ model: "scripted:answers.json" }],
  [{ model: "replay:models" }],
  [{ modelRoles: "review=scripted:answers.json" }],
  [{ modelRoles: { review: "replay-similar:models" } }],
  [{ runsDir: "." }],
  [{ maxCost: 100 }, { maxCost: 2 }],
  [{ maxTokens: "9000" }, { maxTokens: 1000 }],
])("a repository's own file cannot set %j", (project, user = {}) => {
  const { values, warnings } = load({ user, project }, {}, {});
  expect(values).toEqual(user);
  expect(warnings).toEqual([expect.stringContaining(`ignores "${Object.keys(project)[0]}"`)]);
});

test("a repository's own file chooses the model and the tests, and may lower limits", () => {
  const project = { model: "openai/some", strategy: "react", testCommand: "make check", maxCost: 1 };
  const { values, warnings } = load({ user: { maxCost: 2 }, project }, {}, {});
  expect(values).toEqual(project);
  expect(warnings).toEqual([]);
});

test.each([
  [{ maxTime: "soon" }, "--max-time"],
  [{ sandbox: "chroot" }, "sandbox"],
  [{ parallel: "0" }, "parallel"],
  [{ unheardOf: "1" }, "unheardOf"],
])("%j is refused and named", (flags, name) => {
  expect(() => load({}, {}, flags)).toThrow(name);
});

test("a file that is no JSON is an error that names it", () => {
  writeFileSync(join(folder, "repo", "millwright.config.json"), "{");
  expect(() => load({}, {}, {})).toThrow("millwright.config.json");
  writeFileSync(
    join(folder, "repo", "millwright.config.json"),
    `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`,
  );
  expect(() => load({}, {}, {})).toThrow("millwright.config.json");
});

test("a wrong value is said to stand where the user wrote it", () => {
  expect(() => load({}, { MILLWRIGHT_MAX_TIME: "soon" }, {})).toThrow(
    "The variable MILLWRIGHT_MAX_TIME is wrong",
  );
});
