/** Patches that change the test framework in memory: no sign shows them, and the reporter sees them. */
import { describe, expect, test } from "vitest";
import { compareTexts } from "../../src/agent/code/change.ts";
import { judgeAttack } from "../../src/agent/review/attacks/attack-findings.ts";
import { languages } from "../../src/languages/languages.generated.ts";
import { confirmInWalls } from "./wall-confirm.ts";
import { frameworkAttacks } from "./wall-framework-attacks.ts";
import { runInWalls } from "./wall-run.ts";
import { usableSandboxes } from "./workspace-fixture.ts";

const boundaries = usableSandboxes.filter(({ provider }) => provider.boundary);
/** The one that starts soonest, if it is here. */
const sandbox = boundaries.find(({ name }) => name === "bubblewrap") ?? boundaries[0];
const titled = frameworkAttacks.map((each) => ({
  ...each,
  title: `${each.project.framework.name}: ${each.attack.name}`,
}));

describe.skipIf(sandbox === undefined)("a framework that is changed in memory", () => {
  test.for(titled)("$title", async ({ project, attack, more }, { skip }) => {
    const missing = await project.unavailable();
    if (missing !== undefined || sandbox === undefined) return skip(missing);
    const { framework, command, prepare } = project;
    const { extensions = [] } = languages.find(({ name }) => name === framework.language) ?? {};
    const patch = compareTexts(`price${extensions[0]}`, "", attack.load ?? "");
    expect(await judgeAttack([patch], { list: async () => [], read: async () => undefined })).toEqual([]);
    const files = { ...project.files(attack), ...more };
    const { report } = await runInWalls({
      sandbox,
      framework,
      command,
      files,
      ...(prepare && { prepare }),
    });
    // The attack works: the wrong value passes.
    expect(report.invalid ?? report.outcomes.map(({ status }) => status)).toEqual(["passed"]);
    expect(report.frameworkChanges?.join()).toMatch(/ is (?:(?:called by )?(?:\w+\/)?price\b|function )/);
  });

  const confirmed = titled.find(({ project }) => project.framework.name === "pytest");
  test("and a verdict that rests on it", async ({ skip }) => {
    const missing = await confirmed?.project.unavailable();
    if (missing !== undefined || sandbox === undefined || confirmed === undefined) return skip(missing);
    const { project, attack } = confirmed;
    expect(await confirmInWalls(project, sandbox, attack)).toMatchObject({
      holds: false,
      evidence: expect.stringContaining(
        "the patched code changes the test framework or the language's library",
      ),
    });
    // What the project does itself stands in the base too.
    const own = {
      "conftest.py": `${attack.load?.replaceAll("report.outcome, report.longrepr =", "_, _ =")}\n`,
    };
    expect(await confirmInWalls(project, sandbox, project.repair, own)).toMatchObject({ holds: true });
  });
});
