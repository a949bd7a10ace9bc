import { describe, expect, it } from "vitest";
import { failureOf, question, scriptModel, unwrap } from "../../tests/model-fixture.ts";
import { MillwrightError } from "../base/errors.ts";
import { parseModelName } from "./model-name.ts";
import { openModels } from "./open-models.ts";
import { addressOf } from "./providers/ollama.ts";
import openrouter from "./providers/openrouter.ts";

function complaint(action: () => unknown): { message: string; hint: string; code: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof MillwrightError)
      return { message: error.message, hint: error.hint ?? "", code: error.code };
  }
  throw new Error("it does not complain");
}

describe("a model's name", () => {
  it.each([
    ["openai/gpt-5.4", "openai", "gpt-5.4"],
    ["openrouter/anthropic/claude-opus-5.5:beta", "openrouter", "anthropic/claude-opus-5.5:beta"],
    ["ollama/qwen3:8b", "ollama", "qwen3:8b"],
    ["replay:/runs/a:b", "replay", "/runs/a:b"],
    ["none", "none", ""],
  ])("%s", (name, provider, id) => {
    const parsed = parseModelName(name);
    expect([parsed.provider.name, parsed.id]).toEqual([provider, id]);
  });

  it.each(["gpt-5", "opena/gpt-5", "", "/x", "toString/x"])(
    "%s is unknown, and all that there is is listed",
    (name) => {
      const { hint, code } = complaint(() => parseModelName(name));
      expect(code).toBe("usage");
      for (const form of ["anthropic/ID", "openai-compatible/ID", "replay:PATH", "scripted:PATH", "none"])
        expect(hint).toContain(form);
    },
  );

  it.each(["openai", "openai/", "openai:gpt-5", "replay", "replay/dir", "none/x"])(
    "%s is not whole",
    (name) => {
      expect(complaint(() => parseModelName(name)).hint).toContain("An example");
    },
  );
});

describe("what needs no server", () => {
  const open = (model: string, more = {}) => openModels({ model, environment: {}, ...more });

  it("no model says so where one is asked", async () => {
    expect(failureOf(await (await open("none")).generate(question)).message).toContain("--model PROVIDER/ID");
  });

  it("a recording or a script that is not there is an error of usage", async () => {
    await expect(open("replay:/nowhere")).rejects.toThrow("There is no recording /nowhere");
    await expect(open("scripted:/nowhere.json")).rejects.toThrow("/nowhere.json is not a script");
  });

  it("a model without embeddings cannot be the one for them", async () => {
    const options = { embeddingModel: "anthropic/claude-haiku-4-5", environment: { ANTHROPIC_API_KEY: "k" } };
    await expect(open("none", options)).rejects.toThrow("has no embeddings");
  });

  it("a script answers in order, or what fits, with calls and failures, and then says that it is at its end", async () => {
    const client = await open(
      await scriptModel([
        { when: { role: "review" }, text: "reviewed" },
        { text: "first", reasoning: "Hm." },
        { when: { contains: ["red", "blue"] }, calls: [{ name: "paint", inputText: "{broken" }] },
        { failure: { kind: "unavailable", message: "asleep" } },
      ]),
    );
    const say = (text: string) => client.generate({ ...question, messages: [{ role: "user", text }] });
    expect(unwrap(await say("hello"))).toMatchObject({ text: "first", reasoning: "Hm.", finish: "stop" });
    expect(unwrap(await say("red and blue")).calls[0]?.problem).toContain("There is no tool");
    expect(failureOf(await say("red"))).toMatchObject({ kind: "unavailable", message: "asleep" });
    expect(failureOf(await say("again")).message).toContain(
      "no answer left for a request of the role editing that ends with: again",
    );
    expect(unwrap(await client.generate({ ...question, role: "review" })).text).toBe("reviewed");
  });
});

describe("particulars", () => {
  it.each([
    ["0.0.0.0:11434", "http://127.0.0.1:11434"],
    ["gpu-box", "http://gpu-box:11434"],
    ["https://ollama.example/", "https://ollama.example"],
    ["http://127.0.0.1:11434/v1", "http://127.0.0.1:11434"],
  ])("OLLAMA_HOST=%s", (host, address) => {
    expect(addressOf(host)).toBe(address);
  });

  it("OpenRouter's models have their makers' prices", () => {
    expect(openrouter.listed("anthropic/claude-opus-5.5")?.output).toBe(20);
    expect(openrouter.listed("openai/gpt-5.4:nitro")?.input).toBe(2.5);
    expect(openrouter.listed("qwen/qwen3-coder")).toBeUndefined();
  });
});
