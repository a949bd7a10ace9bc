/** A command that names its test files by a pattern runs those that a patch adds, too. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestExecutor } from "../../src/agent/measure/test-executor.ts";
import { testFrameworks } from "../../src/languages/index.generated.ts";
import { localSandbox, makeRepository, openTestWorkspace } from "./workspace-fixture.ts";

const hasMinitest = spawnSync("ruby", ["-e", 'require "minitest"']).status === 0;
const minitest = (name: string): string =>
  `require "minitest/autorun"\n\nclass ${name}Test < Minitest::Test\n  def test_it\n    assert true\n  end\nend\n`;

test.skipIf(!hasMinitest)(
  "a test file that a patch adds is among all tests, and one that it deletes is not",
  async () => {
    const workspace = await openTestWorkspace(
      makeRepository({ "test/light_test.rb": minitest("Light") }),
      localSandbox,
      {
        runtimeDirectory: join(import.meta.dirname, "../../src/languages/runtime"),
      },
    );
    const executor = await openTestExecutor(workspace, testFrameworks, new AbortController().signal);
    const text = "ruby -Itest -e 'Dir[\"./test/*_test.rb\"].each { |file| require file }'";
    const command = testFrameworks
      .map((framework) => framework.recognise(text, executor.project))
      .find((found) => found?.framework === "minitest");
    if (command === undefined) throw new Error("minitest does not know its command");
    const namesOf = async (tree: string): Promise<string[]> => {
      const request = {
        tree,
        selection: { kind: "all" },
        testTimeoutMs: 60_000,
        timeoutMs: 120_000,
      } as const;
      const { report } = await executor.run(command, request);
      if (report.invalid !== undefined) throw new Error(report.invalid);
      return report.outcomes.map(({ key }) => key.name).sort();
    };
    const { trees, base } = workspace;
    const added = await trees.write(base, [{ path: "test/heavy_test.rb", content: minitest("Heavy") }]);
    const moved = await trees.write(added, [{ path: "test/light_test.rb", content: null }]);
    expect(await namesOf(base)).toEqual(["LightTest#test_it"]);
    expect(await namesOf(added)).toEqual(["HeavyTest#test_it", "LightTest#test_it"]);
    expect(await namesOf(moved)).toEqual(["HeavyTest#test_it"]);
    expect(await namesOf(base)).toEqual(["LightTest#test_it"]);
    await executor.close();
  },
);
