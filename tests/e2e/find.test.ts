import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../model-fixture.ts";
import { createPlayground, type Playground, type ProgramEnd } from "./millwright.ts";

let playground: Playground;
let repository: string;

beforeAll(() => {
  playground = createPlayground();
  repository = playground.copyRepository("graph-python");
});
afterAll(() => playground.remove());

function find(...args: string[]): Promise<ProgramEnd> {
  const indexes = join(playground.folder, "indexes");
  return playground.start(["find", ...args, "--repo", repository, "--index-dir", indexes]).ended;
}

describe("millwright find", () => {
  it("prints where a change belongs, and why, for a person", async () => {
    const { exitCode, stdout } = await find("An express parcel has the wrong surcharge");
    expect(exitCode).toBe(0);
    const [head, first] = stdout.split("\n");
    expect(head).toBe("Files");
    expect(first).toMatch(/parcels\/(express|rates)\.py/);
    expect(stdout).toMatch(/parcels\/rates\.py:\d+-\d+ {2}function {2}def surcharge\(/);
    expect(stdout).toContain("says surcharge, express");
    expect(stdout).not.toContain("tests/test_express.py");
  });

  it("reads an issue from a file and shows code within a budget, for a program", async () => {
    const issue = join(playground.folder, "issue.md");
    writeFileSync(issue, "`surcharge` is wrong\n\nAn express parcel of 12 kg costs too little.\n");
    const { exitCode, stdout } = await find("--issue", issue, "--budget", "120", "--json");
    expect(exitCode).toBe(0);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ schema: "millwright.find/1", kind: "place", ranker: "rules" });
    expect(answer.places[0]).toMatchObject({
      path: "parcels/rates.py",
      qualified: "surcharge",
      kind: "function",
    });
    expect(answer.places[0].shown.text).toContain("def surcharge(");
    expect(answer.tokens).toBeLessThanOrEqual(120);
  });

  it("finds files, tests, passages and lines", async () => {
    const file = await find("expr", "--kind", "file");
    const test = await find("parcels/express.py", "--kind", "test");
    const passage = await find("What does an express parcel cost?", "--kind", "document");
    const line = await find("super().price()", "--kind", "text", "--in", "parcels");
    expect(file.stdout.split("\n")[0]).toBe("parcels/express.py");
    expect(test.stdout).toContain("tests/test_express.py:4-6");
    expect(passage.stdout.split("\n")[0]).toContain("README.md");
    expect(line.stdout).toBe("parcels/express.py:10: return super().price() + extra\n");
  });

  it("lets a model read the text and judge what was found, and says who did what", async () => {
    const reading = { names: [], paths: [], words: ["surcharge"] };
    const judged = { files: [], places: ["P2"] };
    const server = await serve([{ text: JSON.stringify(reading) }, { text: JSON.stringify(judged) }]);
    const models = ["--model", "openai-compatible/judge", "--model-url", server.address];
    const plain = JSON.parse((await find("An express surcharge is wrong", "--json")).stdout);
    const answer = JSON.parse((await find("An express surcharge is wrong", ...models, "--json")).stdout);
    expect(answer).toMatchObject({
      mentions: "openai-compatible/judge",
      similarity: "none: no embedding model is configured",
      ranker: "openai-compatible/judge",
      spent: { calls: 2 },
    });
    expect(plain).toMatchObject({ mentions: "rules", ranker: "rules" });
    expect(plain.spent).toBeUndefined();
    expect(answer.places[0].qualified).toBe(plain.places[1].qualified);
  });

  it("says what it cannot use", async () => {
    const empty = await find("");
    const kind = await find("x", "--kind", "poem");
    const place = await find("no/such.py", "--kind", "test");
    const nothing = await find("zyxw", "--kind", "text");
    expect([empty.exitCode, kind.exitCode, place.exitCode, nothing.exitCode]).toEqual([2, 2, 2, 11]);
    expect(empty.stderr).toContain("The text to find is missing");
    expect(place.stderr).toContain("names neither a file nor a definition");
  });
});
