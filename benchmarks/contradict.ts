/**
 * Counts honest tests that still pass after Millwright changes their expected values. Each such test would deny a right
 * patch. Changes all tests of a repository at once, and runs them once without and once with the change: `npm run
 * bench:contradict -- DIR=COMMAND…`. The folders are clones whose tests run; the benchmark does not write to them.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { openTestExecutor } from "../src/agent/measure/test-executor.ts";
import { expectOtherwise } from "../src/agent/verdict/contradict.ts";
import { findStatus, formatTestKey } from "../src/domain/test-outcome.ts";
import { testFrameworks } from "../src/languages/index.generated.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";
import { viewProject } from "../src/workspace/project-view.ts";
import { usableSandboxes } from "../tests/contract/workspace-fixture.ts";

const runtimeDirectory = join(import.meta.dirname, "../src/languages/runtime");
const patience = { testTimeoutMs: 60_000, timeoutMs: 1_200_000 };

console.log(
  "| repository | passing tests | with another expected value | of these still passing |\n| --- | --- | --- | --- |",
);
for (const given of process.argv.slice(2)) {
  const [path = "", text = ""] = given.split("=");
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "contradict-")));
  const limits = { memoryBytes: 8 * 1024 ** 3, cpus: 2, processes: 1024 };
  const found = usableSandboxes.find(({ provider }) => provider.boundary);
  if (found === undefined) throw new Error("no sandbox with a boundary works here");
  const sandbox = {
    provider: found.provider,
    mounts: found.mounts,
    owner: `contradict-${process.pid}`,
    network: false,
    limits,
  };
  const workspace = await openWorkspace({ repository: resolve(path), directory, runtimeDirectory, sandbox });
  const executor = await openTestExecutor(workspace, testFrameworks, new AbortController().signal);
  try {
    const { base, trees } = workspace;
    const files = (await trees.list(base)).map((each) => each.path);
    const checkout = await workspace.openCheckout();
    const command = testFrameworks
      .map((framework) => framework.recognise(text, viewProject(checkout, files)))
      .filter((each) => each !== undefined)
      // Any command is a suite of the framework "command".
      .sort((a, b) => Number(a.framework === "command") - Number(b.framework === "command"))[0];
    await checkout.close();
    if (command === undefined) throw new Error(`no framework recognises ${text}`);
    const before = await executor.run(command, { tree: base, selection: { kind: "all" }, ...patience });
    if (before.report.invalid !== undefined) console.log(`  ${before.report.invalid}`);
    const passing = before.report.outcomes.filter(({ status }) => status === "passed").map(({ key }) => key);
    const { asked, files: changed } = await expectOtherwise(trees, base, passing);
    const tree = await trees.write(base, changed);
    const after = await executor.run(command, { tree, selection: { kind: "all" }, ...patience });
    const still = asked.filter((key) => findStatus(after.report.outcomes, key) === "passed");
    console.log(`| ${basename(path)} | ${passing.length} | ${asked.length} | ${still.length} |`);
    for (const key of still) console.log(`  ${formatTestKey(key)}`);
  } finally {
    await executor.close();
    await workspace.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
