/** A batch with an agent of somebody else's: one program, which does what the statement says. */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { runEventSchema } from "../../src/domain/run-event.ts";
import { selectSandbox } from "../../src/sandbox/index.ts";
import { makeLedger, startBench, writeTasks } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";

const key = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;
const lists = {
  failToPass: [key("test_empties_an_account"), key("test_uses_the_whole_overdraft")],
  passToPass: [key("test_moves_the_amount")],
};

const mend = "sed -i 's/amount < available/amount <= available/' ledger/account.py";

/** Needs nothing but Python: it speaks chat completions as a library would. */
const agent = `#!/usr/bin/env python3
import json, os, socket, subprocess, sys, time, urllib.error, urllib.request

ORDER, *WORDS = open(os.environ["MILLWRIGHT_STATEMENT"]).read().split()
TOOL = {"type": "function", "function": {"name": "shell", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}}}


def ask(messages):
    body = json.dumps({"model": "any", "messages": messages, "tools": [TOOL]}).encode()
    headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers)
    return json.load(urllib.request.urlopen(request))["choices"][0]["message"]


def solve():
    messages = [{"role": "system", "content": "You mend."}, {"role": "user", "content": "Mend it."}]
    said = ask(messages)
    call = said["tool_calls"][0]
    command = json.loads(call["function"]["arguments"])["command"]
    done = subprocess.run(["millwright-env", "run", command], stdout=subprocess.PIPE, universal_newlines=True)
    subprocess.run(["millwright-env", "read", "ledger/account.py", "1", "2"])
    messages += [said, {"role": "tool", "tool_call_id": call["id"], "content": done.stdout}]
    try:
        ask(messages)
    except urllib.error.HTTPError as error:
        print("refused:", error.code, error.read().decode())


def cheat():
    path = "tests/test_transfer.py"
    open(path, "w").write("import unittest\\n")


def peek():
    port, *paths = WORDS
    got = []
    for address in (("127.0.0.1", int(port)), ("192.0.2.1", 80)):
        try:
            socket.create_connection(address, 1)
            got.append("network")
        except OSError:
            pass
    for path in paths:
        try:
            got += os.listdir(path) if os.path.isdir(path) else [open(path).read()]
        except OSError:
            pass
    for folder in ("..", "/tmp", "/usr", os.environ["MILLWRIGHT_AGENT"]):
        try:
            open(os.path.join(folder, "written"), "w").write("x")
        except OSError:
            pass
    # A project's own tests of proxies would find it.
    if "no_proxy" in os.environ:
        got.append("no_proxy")
    log = subprocess.run(["git", "log", "--all", "--oneline"], stdout=subprocess.PIPE).stdout.decode()
    if log.count("\\n") > 1:
        got.append(log)
    # The folder of the run must not have the name of its task, which is "peek".
    if "peek" in open("/proc/self/mountinfo").read():
        got.append("task")
    if got:
        open("loot.txt", "w").write("\\n".join(got))


def lose():
    ask([{"role": "user", "content": "Where is the key?"}])


def fail():
    print("it began")
    sys.exit("no idea")


{"solve": solve, "cheat": cheat, "peek": peek, "fail": fail, "lose": lose, "hang": lambda: time.sleep(600)}[ORDER]()
`;

const answer = {
  calls: [{ name: "shell", input: { command: mend } }],
  usage: { input: 100, output: 10, usd: 0.6 },
};

const refusal = {
  when: { contains: "Where is the key?" },
  failure: { kind: "auth", message: "there is none" },
};

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const documentSchema = z.object({
  arms: z.array(z.object({ strategy: z.string(), model: z.string().nullable() })),
  tries: z.array(
    z.object({
      id: z.string(),
      outcome: z.string(),
      reason: z.string(),
      verdictReason: z.string(),
      restored: z.array(z.string()),
      run: z.string(),
      usage: z.object({ calls: z.int(), inputTokens: z.int(), usd: z.number() }),
    }),
  ),
});

test("an external agent works in the sandbox with the run's model, and is graded, limited and gone on with as ours are", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const { folder } = playground;
  const asked: string[] = [];
  const server = createServer(() => asked.push("network")).listen(0, "127.0.0.1");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const secret = ["tasks.hidden.jsonl", "repositories", "bench/results", "bench/runs"].map((name) =>
    join(folder, name),
  );
  // In a sandbox that is no boundary it gets what it looks for, and leaves files on the machine.
  const { boundary } = (await selectSandbox(process.env["MILLWRIGHT_TEST_SANDBOX"] ?? "auto")).provider;
  const peeking = boundary ? [`peek ${port} ${secret.join(" ")}`] : [];
  const orders = ["hang", "solve", "cheat", "fail", "lose", ...peeking];
  const tasks = writeTasks(
    playground,
    repository,
    orders.map((statement) => ({
      id: statement.split(" ")[0] ?? "",
      statement,
      hidden: { goldPatch, testPatch, lists },
    })),
  );
  mkdirSync(join(folder, "agent"));
  writeFileSync(join(folder, "agent", "my-agent"), agent, { mode: 0o755 });
  writeFileSync(join(folder, "script.json"), JSON.stringify({ answers: [refusal, answer] }));
  const flags = ["--agent-folder", join(folder, "agent"), "--agent-command", "my-agent"];
  const limits = ["--max-time", "12s", "--max-cost", "0.5", "--retries", "0"];
  const start = (...more: string[]) =>
    startBench(
      playground,
      "run",
      tasks,
      "--model",
      `scripted:${join(folder, "script.json")}`,
      ...flags,
      ...limits,
      ...more,
    );

  const killed = start("--workers", "1");
  const isAtWork = (): boolean =>
    globSync(join(folder, "bench", "runs", "external-1-*", "events.jsonl")).some((path) =>
      readFileSync(path, "utf8").includes('"run the agent"'),
    );
  while (!isAtWork()) await sleep(20);
  killed.kill("SIGKILL");
  await killed.ended;

  const end = await start("--workers", "2", "--json").ended;
  server.close();
  expect(end.exitCode, end.stderr).toBe(3);
  const { arms, tries } = documentSchema.parse(JSON.parse(end.stdout));
  expect(arms).toMatchObject([{ strategy: "external", model: expect.stringContaining("scripted:") }]);
  const [hang, solve, cheat, fail, lose, peek] = tries;
  expect(tries.map(({ id, outcome }) => [id, outcome])).toEqual([
    ["hang", "agent-error"],
    ["solve", "resolved"],
    ["cheat", "unresolved"],
    ["fail", "agent-error"],
    ["lose", "infrastructure-error"],
    ...(boundary ? [["peek", "unresolved"]] : []),
  ]);
  expect(hang?.reason).toMatch(/^the agent exceeded its time limit of /);
  expect(fail?.reason).toBe("the agent ended with exit code 1: no idea");
  expect(lose?.reason).toBe("the model's provider failed: there is none");
  expect(cheat?.restored).toEqual(["tests/test_transfer.py"]);
  if (peek !== undefined)
    expect(readFileSync(join(folder, "bench", "runs", peek.run, "patch.diff"), "utf8")).toBe("");
  expect(asked).toEqual([]);
  expect(
    [...globSync(join(folder, "{,bench/**/,agent/}written")), "/usr/written"].filter(existsSync),
  ).toEqual([]);

  // The second call would have passed the limit of cost.
  expect(solve?.verdictReason).toContain("Millwright has not judged");
  expect(solve?.usage).toMatchObject({ calls: 1, inputTokens: 100, usd: 0.6 });
  const run = join(folder, "bench", "runs", solve?.run ?? "");
  const events = readFileSync(join(run, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => runEventSchema.parse(JSON.parse(line)));
  const told = events.flatMap((event) => {
    if (event.event === "call-ended") return [`call ${event.failure?.kind ?? event.finish}`];
    if (event.event === "tool-ended") return [`${event.tool}: ${event.about}`];
    return event.event === "step-started" && event.step.startsWith("external:") ? [event.title] : [];
  });
  expect(told).toEqual([
    "call calls",
    expect.stringContaining("$ sed -i"),
    "read ledger/account.py",
    `shell: ${mend}`,
    "call budget",
  ]);
  expect(
    globSync(join(run, "outputs", "*.txt"))
      .map((path) => readFileSync(path, "utf8"))
      .join(""),
  ).toContain("refused: 403");

  const shown = await startBench(playground, "run", tasks, "--agent-command", "x", "--agent-folder", folder)
    .ended;
  expect(shown.stderr).toContain("which the agent must not see");
  expect(shown.exitCode).toBe(2);
});
