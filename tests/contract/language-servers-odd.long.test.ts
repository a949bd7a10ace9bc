/** What servers do that do not do what they should: every question ends with an answer or a clear failure, and the next works. */
import { readdirSync, readFileSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { defineLanguageServer, type LanguageServer } from "../../src/lsp/language-server.ts";
import { withFallback } from "../../src/lsp/with-fallback.ts";
import { openServers, type ServersFixture } from "./language-servers-fixture.ts";
import { members } from "./sandbox-fixture.ts";

const program = fileURLToPath(new URL("../fixtures/odd-language-server.mjs", import.meta.url));
const local = members.find(({ name }) => name === "local");
if (local === undefined) throw new Error("there is no local sandbox");
const { provider } = local;

let fixture: ServersFixture | undefined;
afterEach(async () => {
  await fixture?.remove();
  fixture = undefined;
});

function odd(behaviour: string, more: Partial<LanguageServer> = {}): LanguageServer {
  return defineLanguageServer({
    name: "odd",
    title: "an odd server",
    languageIds: { ".odd": "odd" },
    programs: [{ program: process.execPath, arguments: [program, behaviour, "{scratch}"] }],
    remedy: "none",
    readiness: "at-once",
    ...more,
  });
}

const zero = { line: 1, column: 0 };
const at = { path: "one.odd", line: 1, name: "one" };

async function open(behaviour: string, more: Partial<LanguageServer> = {}) {
  fixture = await openServers(provider, [odd(behaviour, more)]);
  await writeFile(join(fixture.folder, "one.odd"), "one two\n");
  return fixture.servers;
}

test("one that works answers, and says what it is", async () => {
  const servers = await open("good");
  expect(await servers.definition(at)).toMatchObject({
    ok: true,
    value: { by: "odd", value: [{ path: "one.odd", text: "one two" }] },
  });
});

test("a rename that edits nothing is no answer: the next place with the name is tried", async () => {
  const servers = await open("good");
  expect(await servers.rename(at, "three")).toMatchObject({ ok: false, kind: "no-answer" });
  await writeFile(join(fixture?.folder ?? "", "one.odd"), "one two\none\n");
  await servers.filesChanged([{ path: "one.odd", change: "changed" }]);
  expect(await servers.rename(at, "three")).toMatchObject({
    ok: true,
    value: {
      position: { line: 2, origin: "near" },
      value: [{ path: "one.odd", edits: [{ text: "three" }] }],
    },
  });
});

test("one that crashes over a question is started again and asked once more", async () => {
  const servers = await open("crash-once");
  expect(await servers.definition(at)).toMatchObject({ ok: true });
});

test("one that crashes each time fails with its last words, and is left alone in the end", async () => {
  const servers = await open("crash-always");
  const first = await servers.definition(at);
  expect(first).toMatchObject({ ok: false, kind: "server-ended" });
  expect(first).toHaveProperty("message", expect.stringMatching(/exit code 101.*panicked/));
  await servers.definition(at);
  expect(await servers.definition(at)).toMatchObject({
    ok: false,
    kind: "server-ended",
    message: expect.stringContaining("4 times in a row"),
  });
});

test("one that hangs is given up in time, and other questions go on", async () => {
  const servers = await open("hang");
  const hanging = servers.definition(at, { limitMs: 700 });
  expect(await servers.hover(at)).toMatchObject({ ok: true });
  expect(await hanging).toMatchObject({ ok: false, kind: "timed-out" });
  expect(await servers.hover(at)).toMatchObject({ ok: true });
});

test("one that is stuck is started again after two questions; the next works", async () => {
  const servers = await open("stuck-once");
  expect(await servers.definition(at, { limitMs: 300 })).toMatchObject({ ok: false, kind: "timed-out" });
  expect(await servers.hover(at, { limitMs: 300 })).toMatchObject({
    ok: false,
    kind: "timed-out",
    message: expect.stringContaining("Millwright restarts it"),
  });
  expect(await servers.hover(at)).toMatchObject({ ok: true });
});

test("a question is cancelled by its caller, and an answer that comes after that harms nothing", async () => {
  const servers = await open("late");
  await servers.hover(at);
  const controller = new AbortController();
  const asked = servers.definition(at, { signal: controller.signal });
  setTimeout(() => controller.abort(), 100);
  expect(await asked).toMatchObject({ ok: false, kind: "cancelled" });
  expect(await servers.hover(at)).toMatchObject({ ok: true });
});

for (const [behaviour, words] of [
  ["garbage", /not a message.*Segmentation fault/],
  ["oversized", /99999999999 bytes/],
  ["endless-header", /not a message.*X-Padding/],
  ["broken-json", /not a message/],
] as const) {
  test(`one that sends what is no message (${behaviour}) is ended, and that is said`, async () => {
    const servers = await open(behaviour);
    expect(await servers.definition(at)).toMatchObject({
      ok: false,
      kind: "server-ended",
      message: expect.stringMatching(words),
    });
    expect(await servers.hover(at)).toMatchObject({ ok: true });
  });
}

test("one that floods standard error answers all the same", async () => {
  const servers = await open("flood");
  expect(await servers.definition(at)).toMatchObject({ ok: true });
});

test("what a server refuses is told in its words", async () => {
  const servers = await open("refuse");
  expect(await servers.definition(at)).toMatchObject({
    ok: false,
    kind: "refused",
    message: expect.stringContaining("out of cheese"),
  });
});

test("an answer that names no file, or is none, does no harm", async () => {
  const strange = await open("strange-place");
  expect(await strange.definition(at)).toMatchObject({
    ok: true,
    value: { value: [{ path: "file://elsewhere/a%2Fb", outside: true }] },
  });
  await fixture?.remove();
  const formless = await open("strange-form");
  expect(await formless.definition(at)).toMatchObject({ ok: false, kind: "refused" });
  expect(await formless.hover(at)).toMatchObject({ ok: true });
});

test("a path out of the repository, by its spelling or by a link, is refused", async () => {
  const servers = await open("good");
  const { folder = "", host } = fixture ?? {};
  await writeFile(join(host?.scratch.inside ?? "", "secret.odd"), "secret\n");
  await symlink(join(host?.scratch.inside ?? "", "secret.odd"), join(folder, "link.odd"));
  for (const path of [
    "../scratch/secret.odd",
    join(host?.scratch.inside ?? "", "secret.odd"),
    "link.odd",
    "gone.odd",
  ]) {
    expect(await servers.definition({ path, line: 1 })).toMatchObject({ ok: false, kind: "no-position" });
    expect(await servers.hover({ path, name: "secret" })).toMatchObject({ ok: false, kind: "no-position" });
  }
});

test("what a server asks is answered: its settings; no edit of its own; no question to a person", async () => {
  const servers = await open("asks", { settings: () => ({ odd: { level: 3 } }) });
  expect(await servers.definition(at)).toMatchObject({ ok: true });
  const told = await servers.hover(at);
  expect(JSON.parse(told.ok ? told.value.value : "")).toEqual([
    [3, null],
    null,
    { applied: false, failureReason: expect.any(String) },
    null,
    null,
    -32601,
  ]);
  expect(readFileSync(join(fixture?.folder ?? "", "one.odd"), "utf8")).toBe("one two\n");
});

test("one that never says hello, or dies at once, fails in time", async () => {
  const mute = await open("mute", { startLimitMs: 500 });
  expect(await mute.definition(at)).toMatchObject({ ok: false, kind: "timed-out" });
  await fixture?.remove();
  const stillborn = await open("stillborn");
  expect(await stillborn.definition(at)).toMatchObject({
    ok: false,
    kind: "server-ended",
    message: expect.stringContaining("exit code 7"),
  });
});

test("a server that is not there is said, with how to get it", async () => {
  const servers = await open("good", {
    programs: [{ program: "no-such-server", arguments: [], version: ["no-such-server", "--version"] }],
    remedy: "Build it.",
  });
  const failure = await servers.definition(at);
  expect(failure).toMatchObject({ ok: false, kind: "no-server" });
  expect(failure).toHaveProperty(
    "message",
    expect.stringMatching(/not found \(no-such-server\).*Build it\./),
  );
  expect(await servers.definition({ path: "a.unknown" })).toMatchObject({ ok: false, kind: "no-server" });
});

test("a program that is there and does not work is said with its words", async () => {
  const servers = await open("good", {
    programs: [{ program: "sh", arguments: [], version: ["sh", "-c", "echo component missing >&2; exit 1"] }],
  });
  expect(await servers.definition(at)).toMatchObject({
    ok: false,
    kind: "no-server",
    message: expect.stringContaining("does not work: component missing"),
  });
});

test("where no server answers somebody else does, and it is said who and why", async () => {
  const servers = withFallback(await open("crash-always"), {
    definition: async ({ path = "" }) => ({
      by: "graph",
      value: [{ path, outside: false, range: { start: zero, end: zero } }],
    }),
  });
  expect(await servers.definition(at)).toMatchObject({
    ok: true,
    value: { by: "graph", insteadOf: expect.stringContaining("panicked"), isWhole: false },
  });
  expect(await servers.symbols(at.path)).toMatchObject({ ok: false }); // nobody knows
  await fixture?.remove();
  const working = withFallback(await open("refuse"), {
    definition: async () => ({ by: "graph", value: [] }),
  });
  expect(await working.definition(at)).toMatchObject({
    ok: true,
    value: { by: "graph", insteadOf: expect.stringContaining("refused") },
  });
  // A place that is not there is nobody's fault but the caller's.
  expect(await working.definition({ path: "none.odd" })).toMatchObject({ ok: false, kind: "no-position" });
});

test("a server that repeats no list and publishes no empty one has none that are new", async () => {
  const servers = await open("taciturn", { silentAfterMs: 500 });
  const problems = async (text: string) => {
    const answer = await servers.diagnose([{ path: "one.odd", text }]);
    return answer.ok ? answer.value.value.map(({ message }) => message) : answer;
  };
  expect(await problems("good\n")).toEqual([]);
  expect(await problems("bad\n")).toEqual(["bad"]);
});

test("problems are those of the last list for the text, not of an earlier one", async () => {
  const servers = await open("good");
  const problems = async (text?: string) => {
    const answer = await servers.diagnose([{ path: "one.odd", ...(text === undefined ? {} : { text }) }]);
    return answer.ok
      ? answer.value.value.map(({ message, code, severity }) => [message, code, severity])
      : answer;
  };
  expect(await problems()).toEqual([]);
  expect(await problems("all bad\n")).toEqual([["bad", "7", "error"]]);
  expect(await problems()).toEqual([]);
});

test("problems of files of which only some have a server are told, and that they are not all", async () => {
  const servers = await open("good");
  const answer = await servers.diagnose([
    { path: "new.odd", text: "bad" },
    { path: "other.gone", text: "bad" },
  ]);
  expect(answer).toMatchObject({ ok: true, value: { by: "odd", isWhole: false } });
  expect(answer.ok && answer.value.value.map(({ path }) => path)).toEqual(["new.odd"]);
  expect(await servers.diagnose([{ path: "other.gone" }])).toMatchObject({ ok: false, kind: "no-server" });
});

test("no server is left when the servers are closed", async () => {
  const servers = await open("hang");
  void servers.definition(at, { limitMs: 60_000 });
  await servers.hover(at);
  expect(countServers(fixture?.host.scratch.inside)).toBe(1);
  await servers.close();
  expect(countServers(fixture?.host.scratch.inside)).toBe(0);
});

/** Servers that run now for this folder. */
function countServers(scratch = ""): number {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return line.includes(program) && line.includes(scratch);
      } catch {
        return false;
      }
    }).length;
}
