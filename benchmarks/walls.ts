// Attacks on the reports of tests × test frameworks × sandboxes: `npm run bench:walls [-- WORD...]`. Words choose among the attempts:
// each has to be in "FRAMEWORK in SANDBOX ATTACK". Prints what was believed, how each
// framework's canary ends, which limits hold still, and what a verdict costs in each framework.
import {
  askCanary,
  attackWalls,
  listAttempts,
  type WallAttempt,
  wallProjects,
} from "../tests/contract/wall-attacks.ts";
import { usableSandboxes } from "../tests/contract/workspace-fixture.ts";

const words = process.argv.slice(2);
const boundaries = usableSandboxes.filter(({ provider }) => provider.boundary);
const missing = new Map<string, string>();
for (const { framework, named, unavailable } of wallProjects) {
  const reason = await unavailable();
  if (reason !== undefined) missing.set(named ?? framework.name, reason);
}

function isChosen({ title, project }: WallAttempt): boolean {
  return words.every((word) => title.includes(word)) && !missing.has(project.named ?? project.framework.name);
}

let believed = 0;
const attempts = listAttempts(boundaries).filter(isChosen);
for (const { title, project, attack, sandbox } of attempts) {
  const verdict = await attackWalls(project, attack, sandbox);
  if (verdict.believed) believed += 1;
  console.log(`${verdict.believed ? "BELIEVED" : "refused"}  ${title}: ${verdict.said.split("\n")[0]}`);
}

for (const sandbox of boundaries) {
  for (const project of wallProjects) {
    const name = project.named ?? project.framework.name;
    if (missing.has(name)) continue;
    const title = `${name} in ${sandbox.name}`;
    const isAsked = words.every((word) => title.includes(word));
    if (isAsked && project.framework.canary !== undefined)
      console.log(`canary   ${title}: ${await askCanary(project, sandbox)}`);
    for (const limit of project.limits ?? []) {
      if (!words.every((word) => `${title} ${limit.name}`.includes(word))) continue;
      const verdict = await attackWalls(project, limit, sandbox);
      console.log(
        `${verdict.believed ? "limit" : "refused"}    ${title} ${limit.name}: ${verdict.said.split("\n")[0]}`,
      );
    }
  }
}

/** Median of five runs of a passing test, in seconds. */
async function timeVerdict({ project, sandbox }: WallAttempt): Promise<number> {
  const seconds: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    seconds.push((await attackWalls(project, project.repair, sandbox)).seconds);
  }
  return seconds.toSorted((a, b) => a - b)[2] ?? 0;
}

const timed = new Map(
  attempts.map((each) => [
    `${each.project.named ?? each.project.framework.name} in ${each.sandbox.name}`,
    each,
  ]),
);
for (const [name, attempt] of timed)
  console.log(`${name}: ${(await timeVerdict(attempt)).toFixed(2)} s a verdict`);
for (const [name, reason] of missing) console.log(`${name}: not tried, ${reason}`);
console.log(`${believed} of ${attempts.length} attempts believed`);
process.exitCode = believed === 0 ? 0 : 1;
