/** What a failure says, for comparisons and for models: without the colours that a project's settings ask for. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findFramework } from "../../src/languages/find-framework.ts";
import { testFrameworks } from "../../src/languages/index.generated.ts";
import { viewProject } from "../../src/workspace/project-view.ts";
import { runTests } from "../../src/workspace/test-runner.ts";
import { makeRepository, openTestWorkspace, usableSandboxes } from "./workspace-fixture.ts";

const failing = `def test_units():
    assert "1024.0 KiB\\nnext" == "1.0 MiB\\nnext"
`;
const settings = '[tool.pytest.ini_options]\naddopts = ["--color=yes", "-vv"]\n';

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
test.runIf(hasPytest).each(usableSandboxes.slice(0, 1))(
  "in $name a failure of a project whose settings ask for colours has none",
  async (sandbox) => {
    const files = { "test_units.py": failing, "pyproject.toml": settings };
    const workspace = await openTestWorkspace(makeRepository(files), sandbox, {
      runtimeDirectory: join(import.meta.dirname, "../../src/languages/runtime"),
    });
    const checkout = await workspace.openCheckout();
    const command = {
      ...{ framework: "pytest", directory: "", command: "python3 -m pytest" },
      ...{ foundBy: "", likelihood: 1 },
    };
    const { report } = await runTests({
      ...{ checkout, command, signal: new AbortController().signal, coverage: false },
      project: viewProject(checkout, Object.keys(files)),
      framework: findFramework(testFrameworks, command),
      selection: { kind: "all" },
      testTimeoutMs: 20_000,
      timeoutMs: 60_000,
      stallMs: 60_000,
    });
    const { message = "", text = "" } = report.outcomes[0]?.failure ?? {};
    expect(message).toContain("- 1.0 MiB");
    expect(message + text).not.toContain("\u001b");
  },
);
