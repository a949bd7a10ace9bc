/** Names and texts of a repository that would steer a terminal: no command sends them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPlayground } from "./millwright.ts";

const steering = "\x1b[2J\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x07";
const turned = "\u202eevil\u2066";

function isSteering(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const isControl = (code < 0x20 && !"\t\n\r".includes(character)) || (code >= 0x7f && code < 0xa0);
  return isControl || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

test("no command sends an escape sequence or a mark of direction of the repository's to the terminal", async () => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const repository = playground.copyRepository("repair-python", { git: false });
  const module = `pay${turned}${steering}.py`;
  writeFileSync(
    join(repository, module),
    `def pay_out(amount):\n    """${turned}"""\n    return amount + 1\n`,
  );
  const failing = [
    "import unittest",
    `class HostileTest(unittest.TestCase):`,
    "    def test_hostile(self):",
    `        print(${JSON.stringify(steering)})`,
    `        self.fail(${JSON.stringify(`${steering} ${turned}`)})`,
  ];
  writeFileSync(join(repository, "tests", `test_h${turned}.py`), `${failing.join("\n")}\n`);
  writeFileSync(join(repository, "tests", "test_hostile.py"), `${failing.join("\n")}\n`);
  mkdirSync(join(playground.folder, "state"));
  const hostile = `none${steering}${turned}`;
  const search = `<<<<<<< SEARCH\n${steering}\n=======\n${turned}\n>>>>>>> REPLACE\n`;
  writeFileSync(join(playground.folder, "edits"), `${module}\n${search}`);
  writeFileSync(
    join(playground.folder, "tasks"),
    `${JSON.stringify({ instance_id: hostile, repo: hostile, base_commit: hostile })}\n`,
  );
  const batch = join(playground.folder, "batch.json");
  writeFileSync(batch, JSON.stringify(hostileBatch(hostile)));
  const official = join(playground.folder, `${turned}.json`);
  writeFileSync(
    official,
    JSON.stringify({ resolved_ids: [hostile], unresolved_ids: [], total_instances: 2 }),
  );
  const trajectory = join(playground.folder, "hostile.traj");
  writeFileSync(trajectory, JSON.stringify(hostileTrajectory(hostile)));
  const index = ["--index-dir", join(playground.folder, "index")];
  const at = ["--repo", repository];
  const commands: readonly (readonly string[])[] = [
    ["outline", module, ...at, ...index],
    ["find", "pay_out evil", ...at, ...index],
    ["find", "--kind", "file", "pay", ...at, ...index],
    ["symbol", "pay_out", ...at, ...index],
    ["references", "pay_out", ...at, ...index],
    ["map", ...at, ...index],
    ["tests", ...at],
    ["localize", ...at, "--failing-test", "test_hostile"],
    [
      "solve",
      "--repo",
      repository,
      "--max-time",
      "20s",
      "--max-steps",
      "3",
      "--failing-test",
      "test_hostile",
    ],
    ["show", "last"],
    ["show", "last", "--as", "events"],
    ["runs"],
    ["outline", "a.py", "--repo", `/nowhere/${steering}${turned}`],
    ["show", hostile],
    ["replay", hostile],
    ["resume", hostile],
    ["act", "--list"],
    ["act", hostile, ...at],
    ["act", "search-code", hostile, ...at],
    ["edit", join(playground.folder, "edits"), ...at],
    ["edit", hostile, ...at],
    ["index", ...at, ...index],
    ["lsp", `${module}:1`, ...at],
    ["lsp", hostile, ...at],
    ["forge", join(playground.folder, hostile), "--target", repository],
    ["trace", "--target", repository, "--", "python3", "-c", `print(${JSON.stringify(steering)})`, hostile],
    ["trace", "--target", repository, "--functions", hostile, "--", "true"],
    ["bench", "grade", join(playground.folder, "tasks"), "--predictions", "gold"],
    ["bench", "check", hostile],
    ["bench", "run", hostile],
    ["bench", "datasets", "--json"],
    ["bench", "report", batch],
    ["bench", "report", batch, hostile],
    ["bench", "label", batch, "--out", join(playground.folder, "labels")],
    ["bench", "label", hostile, "--out", join(playground.folder, "labels")],
    ["bench", "replay-reproductions", batch],
    ["bench", "replay-reproductions", hostile],
    ["bench", "compare", batch],
    ["bench", "import", hostile, "--out", join(playground.folder, "imported")],
    ["bench", "import", official, "--out", join(playground.folder, "imported")],
    ["bench", "compare", batch, "--first-arm", hostile],
    ["bench", "red-team", "--language", hostile],
    ["bench", "suite", hostile, "--out", join(playground.folder, "suite")],
    [
      "bench",
      "suite",
      "use-bench",
      "--out",
      join(playground.folder, "suite"),
      "--tasks",
      `swe-bench=${hostile}`,
    ],
    ["bench", "mine", hostile, "--out", join(playground.folder, "mined")],
    ["bench", "mine", "select", hostile, "--out", join(playground.folder, "mined")],
    ["bench", "mine", "judge", hostile, "--reviewer", "me"],
    ["bench", "mine", "refresh", hostile, "--out", join(playground.folder, "mined")],
    ["bench", "mine", "freeze", hostile, "--out", join(playground.folder, "mined")],
    ["bench", "mine", "recheck", hostile, "--out", join(playground.folder, "mined")],
    ["bench", "batches", "--queue", hostile],
    ["bench", "pause", hostile, "--queue", hostile],
    ["bench", "resume", hostile, "--queue", hostile],
    ["bench", "cancel", hostile, "--queue", hostile],
    ["bench", "retry", hostile, "--queue", hostile],
    ["worker", "--queue", hostile],
    ["trace", "show", hostile],
    ["trace", "diff", batch, hostile],
    ["mcp", "--repo", hostile],
    ["import", trajectory],
    ["show", "last"],
    ["import", hostile],
    ["solve", hostile, "--repo", repository, "--strategy", hostile],
    ["doctor", "--runs-dir", join(playground.folder, hostile)],
    [hostile],
    ["runs", `--${hostile}`],
  ];
  for (const command of commands) {
    const end = await playground.start(command).ended;
    const sent = `${end.stdout}${end.stderr}`;
    expect(sent, command[0]).not.toBe("");
    expect([...sent].filter(isSteering), command.join(" ")).toEqual([]);
  }
  const tried = commands.map((command) => command.slice(0, command[0] === "bench" ? 2 : 1).join(" "));
  for (const group of [[], ["bench"]]) {
    const { stdout } = await playground.start([...group, "--help"]).ended;
    const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].flatMap(([, name = ""]) => name);
    const wanted = names.filter((name) => name !== "help" && name !== "bench");
    expect(wanted.length).toBeGreaterThan(5);
    expect(tried).toEqual(expect.arrayContaining(wanted.map((name) => [...group, name].join(" "))));
  }
});

/** Of SWE-agent, in which all that can be chosen is hostile. */
function hostileTrajectory(hostile: string) {
  return {
    trajectory: [{ action: hostile, observation: hostile, response: hostile, thought: hostile }],
    history: [{ role: "user", content: hostile, agent: "main" }],
    info: {
      exit_status: hostile,
      submission: `diff --git a/${hostile} b/${hostile}`,
      model_stats: { instance_cost: 0, tokens_sent: 1, tokens_received: 1, api_calls: 1 },
    },
    replay_config: JSON.stringify({ agent: { model: { name: hostile } } }),
  };
}

/** What `bench run` would leave of a task, an arm and a file that are called so. */
function hostileBatch(text: string) {
  const usage = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 };
  const arms = ["react", "unified"].map((name) => ({ strategy: `${name}${text}`, model: text }));
  return {
    ...{ schema: "millwright.bench-run/1", version: text, rules: [text], sandbox: text, arms },
    tasks: { file: text, sha256: text, count: 1 },
    tries: arms.map((arm, at) => ({
      ...{ ...arm, id: text, attempt: 1, outcome: at === 0 ? "resolved" : "unresolved", reason: text },
      ...{ verdict: "verified", run: text, agentSeconds: 1, gradingSeconds: 1, usage },
    })),
  };
}
