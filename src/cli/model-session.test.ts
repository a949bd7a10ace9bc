import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openChatServer } from "../../tests/chat-server.ts";
import {
  describeProviders,
  modelEnvironment,
  openModelSession,
  refuseUnpriced,
} from "../session/model-session.ts";
import { loadSettings } from "./load-settings.ts";

let root: string;
let project: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "millwright-models-"));
  project = join(root, "project");
  mkdirSync(join(root, "config", "millwright"), { recursive: true });
  mkdirSync(project);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const environmentWith = (more: Record<string, string> = {}) => ({
  XDG_CONFIG_HOME: join(root, "config"),
  ...more,
});
const settingsOf = (flags: object, projectFile?: object) => {
  if (projectFile) writeFileSync(join(project, "millwright.config.json"), JSON.stringify(projectFile));
  return loadSettings({ repository: project, environment: environmentWith(), flags: { ...flags } });
};

describe("keys", () => {
  it("come from the environment, else the folder's .env, else the user's own", () => {
    writeFileSync(join(project, ".env"), "OPENAI_API_KEY=folder\nGEMINI_API_KEY='folder'\n");
    writeFileSync(
      join(root, "config", "millwright", ".env"),
      "OPENAI_API_KEY=user\nGEMINI_API_KEY=user\nANTHROPIC_API_KEY=user\nANTHROPIC_BASE_URL=http://user/v1\n",
    );
    expect(
      modelEnvironment({ environment: environmentWith({ OPENAI_API_KEY: "environment" }), folder: project }),
    ).toMatchObject({
      OPENAI_API_KEY: "environment",
      GEMINI_API_KEY: "folder",
      ANTHROPIC_API_KEY: "user",
      ANTHROPIC_BASE_URL: "http://user/v1",
    });
  });

  it("are all that a folder's .env gives: no address to which the user's key would be sent", () => {
    writeFileSync(join(project, ".env"), "OPENAI_BASE_URL=http://elsewhere/v1\nPATH=/evil\n");
    const environment = modelEnvironment({ environment: environmentWith(), folder: project });
    expect(environment["OPENAI_BASE_URL"]).toBeUndefined();
    expect(environment["PATH"]).toBeUndefined();
  });

  it("that are missing are said by name, before any call", async () => {
    const { settings } = settingsOf({ model: "anthropic/claude-sonnet-5-5" });
    const opened = openModelSession(settings, { environment: environmentWith(), folder: project });
    await expect(opened).rejects.toThrow("ANTHROPIC_API_KEY");
    const states = describeProviders({
      environment: environmentWith({ OPENAI_API_KEY: "there" }),
      folder: project,
    });
    const missing = states.filter((state) => state.missing !== undefined).map(({ name }) => name);
    expect(missing).toEqual(["anthropic", "google", "openai-compatible", "openrouter"]);
    expect(JSON.stringify(states)).not.toContain('"there"');
  });
});

describe("a limit of cost", () => {
  it("is refused before there is a run where it cannot hold, and given where it can", async () => {
    const named = (model: string, more: object = {}) =>
      openModelSession(settingsOf({ model, modelUrl: "http://127.0.0.1:1/v1", ...more }).settings, {
        environment: environmentWith({ OPENAI_COMPATIBLE_API_KEY: "my-own-long-key" }),
        folder: project,
      });
    const unknown = await named("openai-compatible/mine");
    expect(() => refuseUnpriced(unknown, 1)).toThrow("the price of openai-compatible/mine is unknown");
    expect(() => refuseUnpriced(unknown, undefined)).not.toThrow();
    const priced = await named("openai-compatible/mine", { modelPrices: "openai-compatible/mine=1/1/1" });
    expect(() => refuseUnpriced(priced, 1)).not.toThrow();
  });
});

describe("settings of models", () => {
  it("are one line in a flag and objects in a file, with the same meaning", () => {
    const modelRoles = { retrieval: "ollama/qwen3:8b", review: "openai/gpt-5.4" };
    const modelPrices = { "ollama/qwen3:8b": { input: 1, cached: 0.1, written: 1, output: 4 } };
    const flags = {
      modelRoles: "retrieval=ollama/qwen3:8b,review=openai/gpt-5.4",
      modelPrices: "ollama/qwen3:8b=1/0.1/4",
    };
    expect(settingsOf(flags).settings).toMatchObject({ modelRoles, modelPrices });
    expect(
      settingsOf({ modelPrices: { "ollama/qwen3:8b": { input: 1, cached: 0.1, output: 4 } } }).settings
        .modelPrices,
    ).toEqual(modelPrices);
    expect(settingsOf({}, { modelRoles }).settings.modelRoles).toEqual(modelRoles);
    expect(settingsOf({ temperature: "0.2,editing=0.7", reasoning: "planning=high" }).settings).toMatchObject(
      {
        temperature: { all: 0.2, editing: 0.7 },
        reasoning: { planning: "high" },
      },
    );
    const file = { temperature: 0.4, maxOutputTokens: { all: 8000 } };
    expect(settingsOf({}, file).settings).toMatchObject({
      temperature: { all: 0.4 },
      maxOutputTokens: { all: 8000 },
    });
  });

  it.each([
    [{ modelRoles: "retrieving=ollama/x" }, "--model-roles"],
    [{ modelPrices: "ollama/x=cheap" }, "--model-prices"],
    [{ modelTimeout: "soon" }, "--model-timeout"],
    [{ temperature: "warm" }, "--temperature"],
    [{ reasoning: "editing=deep" }, "--reasoning"],
    [{ maxOutputTokens: "9" }, "--max-output-tokens"],
  ])("%j is refused and named", (flags, name) => {
    expect(() => settingsOf(flags)).toThrow(name);
  });

  it("do not let a repository choose to whom keys are sent", () => {
    const { settings, warnings } = settingsOf({}, { modelUrl: "http://elsewhere/v1", modelPrices: {} });
    expect(settings.modelUrl).toBeUndefined();
    expect(warnings).toHaveLength(2);
  });

  it("open a client that answers, within the limits, and a redactor that knows the key", async () => {
    const server = await openChatServer(() => ({ text: "Well." }));
    try {
      const { settings } = settingsOf({ model: "openai-compatible/test", modelUrl: server.address });
      const environment = environmentWith({ OPENAI_COMPATIBLE_API_KEY: "my-own-long-key" });
      const { client, redactor } = await openModelSession(settings, {
        environment,
        folder: project,
        limits: { calls: 10 },
      });
      const result = await client.generate({
        role: "editing",
        system: "",
        messages: [{ role: "user", text: "Hello." }],
      });
      expect(result).toMatchObject({ ok: true, value: { text: "Well." } });
      expect(redactor.text("sent my-own-long-key")).toBe("sent [redacted]");
    } finally {
      await server.close();
    }
  });
});

describe("the command line", () => {
  it("writes no key into an error", () => {
    const args = [
      join(import.meta.dirname, "main.ts"),
      "solve",
      "--output",
      "json",
      "--repo",
      "/nowhere/my-own-long-key",
    ];
    const environment = { ...process.env, ...environmentWith({ SOME_API_KEY: "my-own-long-key" }) };
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      env: environment,
      encoding: "utf8",
    });
    expect(status).not.toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schema: "millwright.error/1" });
    expect(stdout + stderr).toContain("/nowhere/[redacted]");
    expect(stdout + stderr).not.toContain("my-own-long-key");
  });
});
