import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  connect,
  failureOf,
  makeFolder,
  question,
  scriptModel,
  secretKey,
  serve,
  unwrap,
} from "../../tests/model-fixture.ts";
import { createRedactor } from "../base/redact.ts";
import type { ModelRequest } from "./contract.ts";
import { openModels } from "./open-models.ts";

const replay = (folder: string) => openModels({ model: `replay:${folder}`, environment: {} });
const say = (text: string): ModelRequest => ({ ...question, messages: [{ role: "user", text }] });

async function readAll(folder: string): Promise<string> {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}

describe("a recorded call", () => {
  const tools = [{ name: "look", description: "Looks.", input: z.object({ at: z.string() }) }];

  it("is replayed: the same request, the same answer and the same usage, at no cost", async () => {
    const recording = await makeFolder();
    const server = await serve([{ text: "I look.", calls: [{ name: "look", arguments: '{"at":"a.ts"}' }] }]);
    const prices = { "openai-compatible/test": { input: 1, cached: 1, written: 1, output: 1 } };
    const client = await connect(server, { recording, prices });
    const asked = unwrap(await client.generate({ ...question, tools }));
    const player = await replay(recording);
    const again = unwrap(await player.generate({ ...question, tools }));
    expect(again).toEqual(asked);
    expect(again.model).toBe("openai-compatible/test");
    expect(player.spent()).toEqual(client.spent());
    expect(server.requests).toHaveLength(1);
  });

  it("is never paid again by a run that resumes", async () => {
    const recording = await makeFolder();
    const server = await serve([{ text: "Well." }]);
    await (await connect(server, { recording })).generate(question);
    const resumed = await connect(server, { recording });
    expect(unwrap(await resumed.generate(question))).toMatchObject({ text: "Well.", recorded: true });
    expect(server.requests).toHaveLength(1);
    expect(resumed.spent().calls).toBe(1);
  });

  it("counts in a resumed run as much as it cost: the attempts that failed too", async () => {
    const recording = await makeFolder();
    const server = await serve((_, count) => (count === 0 ? { cutOff: "I was" } : { text: "Well." }));
    const first = await connect(server, { recording });
    unwrap(await first.generate(question));
    expect(first.spent().calls).toBe(2);
    const resumed = await connect(server, { recording, limits: { calls: 2 }, keepBack: 0 });
    unwrap(await resumed.generate(question));
    expect(resumed.spent()).toEqual(first.spent());
    expect(failureOf(await resumed.generate(say("More?"))).kind).toBe("budget");
    expect(server.requests).toHaveLength(2);
  });

  it("that nobody could read is not asked for again on resume, and was paid once", async () => {
    const recording = await makeFolder();
    const server = await serve([{ raw: "data: {nonsense\n\n" }]);
    const first = await connect(server, { recording });
    const failure = failureOf(await first.generate(question));
    expect(failure.kind).toBe("bad-answer");
    const asked = server.requests.length;
    const resumed = await connect(server, { recording });
    for (let time = 1; time <= 2; time += 1)
      expect(failureOf(await resumed.generate(question))).toMatchObject({ kind: failure.kind });
    expect(resumed.spent()).toEqual(first.spent());
    expect(server.requests).toHaveLength(asked);
  });

  it("is asked once by callers at the same time, and again for another sample", async () => {
    const recording = await makeFolder();
    const server = await serve((_, count) => ({ text: `answer ${count}` }));
    const client = await connect(server, { recording });
    const answers = await Promise.all(
      [1, 1, 2].map((sample) => client.generate({ ...question, settings: { sample } })),
    );
    const texts = answers.map((answer) => unwrap(answer).text);
    expect(texts[0]).toBe(texts[1]);
    expect(texts[2]).not.toBe(texts[0]);
    expect(server.requests).toHaveLength(2);
    expect(client.spent().calls).toBe(2);
  });

  it("that is asked twice in a row is paid and counted once, also in a replay", async () => {
    const recording = await makeFolder();
    const server = await serve([{ text: "Well." }]);
    const client = await connect(server, { recording });
    const player = await replay(recording);
    for (const each of [client, player]) {
      const [first, second] = [unwrap(await each.generate(question)), unwrap(await each.generate(question))];
      expect(second.text).toBe(first.text);
      expect([first.usage.inputTokens, second.usage.inputTokens]).toEqual([100, 0]);
      expect(each.spent().calls).toBe(1);
    }
    expect(server.requests).toHaveLength(1);
  });

  it("is asked again where another model answered it, or its answer was lost", async () => {
    const recording = await makeFolder();
    const server = await serve([{ text: "Well." }]);
    await (await connect(server, { recording })).generate(question);
    await (await connect(server, { recording, model: "openai-compatible/other" })).generate(question);
    expect(server.requests).toHaveLength(2);
    const [answer = ""] = (await readdir(recording)).filter((name) => name.endsWith(".answer.json"));
    await rm(join(recording, answer));
    expect(failureOf(await (await replay(recording)).generate(question)).message).toContain(
      "ended before the answer",
    );
    await (await connect(server, { recording })).generate(question);
    expect(server.requests).toHaveLength(3);
  });

  it("that failed for the moment is asked again on resume, and fails the same way in a replay", async () => {
    const recording = await makeFolder();
    const server = await serve((_, count) => (count < 6 ? { status: 503 } : { text: "Well." }));
    expect(failureOf(await (await connect(server, { recording })).generate(question)).kind).toBe(
      "unavailable",
    );
    expect(failureOf(await (await replay(recording)).generate(question)).kind).toBe("unavailable");
    expect(unwrap(await (await connect(server, { recording })).generate(question)).text).toBe("Well.");
    expect(unwrap(await (await replay(recording)).generate(question)).text).toBe("Well.");
  });

  it("has its vectors recorded too", async () => {
    const recording = await makeFolder();
    const server = await serve([{}]);
    const client = await connect(server, { recording, embeddingModel: "openai-compatible/vectors" });
    const vectors = await client.embedder?.embed(["one", "three"]);
    const name = `replay:${recording}`;
    const player = await openModels({ model: name, embeddingModel: name, environment: {} });
    expect(await player.embedder?.embed(["one", "three"])).toEqual(vectors);
    expect(failureOf((await player.embedder?.embed(["two"])) ?? { ok: true, value: [] }).kind).toBe(
      "not-recorded",
    );
  });
});

describe("a changed request", () => {
  const recorded = async () => {
    const recording = await makeFolder();
    const client = await openModels({
      model: await scriptModel([{ text: "Well.", times: "always" }]),
      environment: {},
      recording,
    });
    await client.generate(say("first line\nsecond line"));
    await client.generate({ ...say("another"), role: "review" });
    return replay(recording);
  };

  it.each([
    [
      "a message",
      say("first line\n2nd line"),
      'messages[0].text, line 2: recorded "second line", now "2nd line"',
    ],
    [
      "instructions",
      { ...say("first line\nsecond line"), system: "Be kind." },
      'system: recorded "You are tested.", now "Be kind."',
    ],
    [
      "a setting",
      { ...say("first line\nsecond line"), settings: { temperature: 0.8 } },
      "settings.temperature: recorded 0, now 0.8",
    ],
  ] as const)("says what changed: %s", async (_, request, difference) => {
    const failure = failureOf(await (await recorded()).generate(request));
    expect(failure.kind).toBe("not-recorded");
    expect(failure.message).toContain(`differs from the nearest recorded request at ${difference}`);
  });
});

it("compares a changed request with the one that shares most of its words", async () => {
  const recording = await makeFolder();
  const server = await serve(() => ({ text: "Well." }));
  const client = await connect(server, { recording });
  const tasks = [
    "Sort the names of the report.",
    "Close the file when the reader ends.",
    "Add a flag for colours.",
  ];
  for (const text of tasks) await client.generate(say(text));
  const player = await replay(recording);
  for (const text of tasks) {
    const failure = failureOf(await player.generate(say(`${text} Thanks.`)));
    expect(failure.message).toContain(`recorded "${text}"`);
  }
});

describe("a request that differs only in parts that change each time", () => {
  const recordAll = async (texts: readonly string[]) => {
    const recording = await makeFolder();
    const server = await serve((_, count) => ({ text: `answer ${count}` }));
    const client = await connect(server, { recording });
    for (const text of texts) await client.generate(say(text));
    return replay(recording);
  };

  it.each([
    ["a time limit", "Left: 9 rounds, 38 min 12 s.", "Left: 9 rounds, 52 s."],
    ["a duration", "2 passed in 0.12s (3ms)", "2 passed in 11.40s (12 ms)"],
    ["an address", "<generator object flatten at 0x7f3a5c2d>", "<generator object flatten at 0x7fbb01de>"],
    [
      "a shortened address",
      "assert [<generator o...7fa99d47d300>] == [1]",
      "assert [<generator o...7fe043f7d300>] == [1]",
    ],
    ["a temporary name", "open '/tmp/tmpk3j_x/a.txt'", "open '/tmp/tmp9s8dk/a.txt'"],
    ["pytest's folder", "/x/pytest-of-me/pytest-12/test_a0", "/x/pytest-of-me/pytest-3/test_a0"],
    ["a port", "http://127.0.0.1:41233/a (port=41233)", "http://127.0.0.1:5022/a (port=5022)"],
    [
      "a thread",
      "thread 'a::b' (4711) panicked at src/a.rs:3:5",
      "thread 'a::b' (98) panicked at src/a.rs:3:5",
    ],
    [
      "a commit",
      `Dropped refs/stash@{0} (${"1a".repeat(20)})`,
      `Dropped refs/stash@{0} (${"2b".repeat(20)})`,
    ],
    ["the order of lines", "test a ... ok\ntest b ... FAILED", "test b ... FAILED\ntest a ... ok"],
    ["a clock time", "2026-01-02T03:04:05.678Z 12:00:01 ok", "2027-11-12T13:14:15Z 01:02:03 ok"],
  ])("gets the recorded answer: %s", async (_, recorded, now) => {
    const player = await recordAll([recorded]);
    expect(unwrap(await player.generate(say(now))).text).toBe("answer 0");
  });

  it("gets the answer of the exact request, if there is one, else of the most similar request", async () => {
    const player = await recordAll(["took 1 s", "took 2 s"]);
    expect(unwrap(await player.generate(say("took 2 s"))).text).toBe("answer 1");
    expect(["answer 0", "answer 1"]).toContain(unwrap(await player.generate(say("took 3 s"))).text);
  });

  it.each([
    ["a number of results", "2 passed", "3 passed"],
    ["a value", "expected 12, got 13", "expected 12, got 14"],
    ["a line", "src/a.rs:3:5", "src/a.rs:4:5"],
    ["a small number of hexadecimal digits", "0x1f", "0x2f"],
  ])("does not include %s", async (_, recorded, now) => {
    const player = await recordAll([recorded]);
    expect(failureOf(await player.generate(say(now))).kind).toBe("not-recorded");
  });
});

describe("a request that is only similar", () => {
  const record = async (provider: string) => {
    const recording = await makeFolder();
    const server = await serve((_, count) => ({ text: `answer ${count}` }));
    const client = await connect(server, { recording });
    for (const text of ["Another task: sort the names of the report.", report(265, "a::b")])
      await client.generate(say(text));
    return openModels({ model: `${provider}:${recording}`, environment: {} });
  };
  const report = (passed: number, failing: string) =>
    `Before any change, ${passed} of 270 tests pass here, and these fail:\n${failing}\nThe rest runs during the work.`;

  it("gets the answer of the most similar one, with a warning, if the user asks for such a replay", async () => {
    const player = await record("replay-similar");
    const answer = unwrap(await player.generate(say(report(266, "a::b"))));
    expect(answer).toMatchObject({
      text: "answer 1",
      warnings: ["this answer was recorded for a similar request"],
    });
    expect(unwrap(await player.generate(say(report(265, "a::b")))).warnings).toEqual([]);
  });

  it("gets no answer otherwise", async () => {
    const strict = await record("replay");
    expect(failureOf(await strict.generate(say(report(266, "a::b")))).kind).toBe("not-recorded");
    const player = await record("replay-similar");
    const others = [say("What does this do?"), { ...say(report(266, "a::b")), system: "Be kind." }];
    for (const other of others) expect(failureOf(await player.generate(other)).kind).toBe("not-recorded");
  });
});

describe("secrets", () => {
  it("are in no recording: neither the key that was sent, nor what looks like one in texts", async () => {
    const recording = await makeFolder();
    const token = `ghp_${"a1B2".repeat(9)}`;
    const server = await serve([
      { text: `The key is ${secretKey}, the token ${token}.` },
      { status: 400, body: { error: { message: secretKey } } },
    ]);
    const client = await connect(server, { recording, redactor: createRedactor([secretKey]) });
    await client.generate(say(`.env has KEY=${secretKey} and TOKEN=${token}`));
    await client.generate(say("again"));
    const written = await readAll(recording);
    expect(written).toContain("[redacted]");
    expect(written).not.toContain(secretKey);
    expect(written).not.toContain(token);
    expect(server.requests[0]?.headers.authorization).toContain(secretKey);
  });

  it("do not keep a recording from being found under another key", async () => {
    const recording = await makeFolder();
    const server = await serve([{ text: "Well." }]);
    await (await connect(server, { recording, redactor: createRedactor([secretKey]) })).generate(
      say(`KEY=${secretKey}`),
    );
    const player = await openModels({
      model: `replay:${recording}`,
      environment: {},
      redactor: createRedactor(["quite-another-key"]),
    });
    expect(unwrap(await player.generate(say("KEY=quite-another-key"))).text).toBe("Well.");
  });
});
