/** docs/prompts.md contains the requests of runs. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { kindSystem } from "../../src/agent/kinds/kind.prompt.ts";
import { taskKindSchema } from "../../src/domain/task.ts";
import { answersFor, statement } from "../prompt-run.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

test("docs/prompts.md has the prompt and the tools of every role (else: npm run prompts)", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/prompts.md"), "utf8");
  const repository = playground.copyRepository("repair-python");
  const answers = answersFor.unified.map(({ when, ...answer }) => ({ ...when, ...answer }));
  const { report } = await solveScripted(playground, { repository, statement, strategy: "unified", answers });
  const calls = join(report.runDirectory, "calls");
  const requests = readdirSync(calls)
    .filter((name) => name.endsWith(".request.json"))
    .map((name) => JSON.parse(readFileSync(join(calls, name), "utf8")).request);
  expect(page).toContain(kindSystem(taskKindSchema.options));
  const roles = new Set(requests.map(({ role }) => role));
  expect(roles).toEqual(new Set(["planning", "reproduction", "retrieval", "editing", "review"]));
  for (const { system, tools } of requests) {
    expect(page).toContain(system);
    for (const { name, description } of tools) {
      // The page quotes a description of several lines inside its list item.
      const shown = description.includes("\n") ? `\n\n\`\`\`text\n${description}\n\`\`\`` : ` ${description}`;
      expect(page.replaceAll(/^ {2}/gm, "")).toContain(`- \`${name}\`:${shown}`);
    }
  }
});
