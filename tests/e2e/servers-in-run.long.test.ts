/** Language servers in a run: the machine's server looks at edits, in the run's own sandbox; off, nobody does, and it is said. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createPlayground } from "./millwright.ts";

const program = fileURLToPath(new URL("../fixtures/odd-language-server.mjs", import.meta.url));
const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

/** What the tools replied in a run whose model writes an edit with an error and one without. */
async function repliesOf(codeServers: "auto" | "off"): Promise<{ patch: string; replies: string }> {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const repository = playground.copyRepository("repair-python");
  const odd = {
    command: [process.execPath, program, "good", "{scratch}"],
    languages: { ".py": "python" },
    readiness: "at-once",
  };
  writeFileSync(join(repository, "millwright.config.json"), JSON.stringify({ languageServers: { odd } }));
  const edit = (after: string) => ({
    name: "edit",
    input: {
      edits: `ledger/account.py\n<<<<<<< SEARCH\n    return amount < available\n=======\n    return amount <= available${after}\n>>>>>>> REPLACE\n`,
    },
  });
  const answers = [
    {
      when: { role: "planning" },
      calls: [{ name: "edit-code", input: { intent: "let all of it be paid" } }],
    },
    { when: { role: "editing" }, calls: [edit("  # bad")] },
    { when: { role: "editing" }, calls: [edit("  # all")] },
    { when: { role: "editing" }, calls: [{ name: "done", input: { summary: "all may be paid" } }] },
    {
      when: { role: "planning" },
      calls: [{ name: "finish", input: { candidate: "c1" } }],
      times: "always",
    },
  ];
  const script = join(playground.folder, "script.json");
  writeFileSync(script, JSON.stringify({ answers }));
  const end = await playground.start(
    [
      ...["solve", statement, "--repo", repository, "--model", `scripted:${script}`, "--sandbox", "local"],
      ...["--code-servers", codeServers, "--output", "json"],
    ],
    {},
  ).ended;
  const { patch, runDirectory } = JSON.parse(end.stdout) as { patch: string; runDirectory: string };
  const calls = join(runDirectory, "calls");
  const requests = readdirSync(calls).filter((name) => name.endsWith(".request.json"));
  return { patch, replies: requests.map((name) => readFileSync(join(calls, name), "utf8")).join("\n") };
}

test("where there is a server, an edit with a new error is refused", async () => {
  const { patch, replies } = await repliesOf("auto");
  expect(replies).toContain("The edits fit, but cause an error (odd)");
  expect(patch).toContain("+    return amount <= available  # all");
});

test("where they are off it is said that nobody looked", async () => {
  const { patch, replies } = await repliesOf("off");
  expect(replies).toContain("(checked by nobody: Language servers are off in this run.)");
  expect(patch).toContain("+    return amount <= available");
});
