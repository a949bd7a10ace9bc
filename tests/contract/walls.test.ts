/** What the code under test may try to be believed: each attack once, and for each framework and sandbox a seeded sample of them. */
import { describe, expect, test } from "vitest";
import { compareTexts } from "../../src/agent/code/change.ts";
import { judgeAttack } from "../../src/agent/review/attacks/attack-findings.ts";
import { languages } from "../../src/languages/languages.generated.ts";
import { attackWalls, sampleAttempts, wallProjects } from "./wall-attacks.ts";
import { usableSandboxes } from "./workspace-fixture.ts";

/** `local` is no boundary: what happens there is not promised, only that the host lives. */
const boundaries = usableSandboxes.filter(({ provider }) => provider.boundary);

describe.skipIf(boundaries.length === 0)("reports of code that wants to be believed", () => {
  const attempts = sampleAttempts(boundaries, 1);
  test.for(attempts)("$title", async ({ project, attack, sandbox }, { skip }) => {
    const missing = await project.unavailable();
    if (missing !== undefined) skip(missing);
    const { believed, said } = await attackWalls(project, attack, sandbox);
    expect(believed, said).toBe(false);
  });

  test("without an attack the test is seen to fail, and to pass when the code is right", async ({ skip }) => {
    const [project, sandbox] = [wallProjects[0], boundaries[0]];
    if (project === undefined || sandbox === undefined) throw new Error("there is nothing to try");
    const missing = await project.unavailable();
    if (missing !== undefined) skip(missing);
    const wrong = await attackWalls(project, {}, sandbox);
    expect(wrong.said).toMatch(/^valid; test_price.py::test_price failed/);
    const right = await attackWalls(project, project.repair, sandbox);
    expect(right).toMatchObject({ believed: true });
  });
});

/** What is believed is at least seen in the patch. */
const limits = wallProjects.flatMap(({ framework: { name, language }, limits = [] }) =>
  limits.map((attack) => ({ title: `${name} ${attack.name}`, language, attack })),
);
test.for(limits)("$title: nothing in the report tells, and its signs do", async ({ language, attack }) => {
  const path = `a${languages.find((each) => each.name === language)?.extensions[0]}`;
  const patch = compareTexts(path, "", `${attack.load ?? ""}\n${attack.call ?? ""}\n`);
  const findings = await judgeAttack([patch], { list: async () => [], read: async () => undefined });
  expect(findings.map(({ weight }) => weight)).toContain("objection");
});

test("in a sandbox without a boundary the host lives on, whatever becomes of the report", async ({
  skip,
}) => {
  const local = usableSandboxes.find(({ name }) => name === "local");
  const project = wallProjects[0];
  if (local === undefined || project === undefined) throw new Error("there is nothing to try");
  const missing = await project.unavailable();
  if (missing !== undefined) skip(missing);
  const attack = project.attacks.find(({ name }) => name === "deletes the report's folder and the channel");
  expect(attack && (await attackWalls(project, attack, local))).toMatchObject({ believed: false });
});
