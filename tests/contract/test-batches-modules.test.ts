/** A batch of a project whose files are ES modules, with node:test under each Node of this machine. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { composeSchema, type Variant } from "../../src/instrument/compose-schema.ts";
import { languageOf } from "../../src/languages/source-files.ts";
import { openFixture } from "./test-frameworks-fixture.ts";
import { javascriptFixtures } from "./test-frameworks-javascript.ts";

const target = "test/hall.test.js";
const tests = ["books the first seats of an empty row", "skips taken seats"].map((name) => {
  return { package: "", target, name: `a hall > ${name}` };
});
const replacements = { ">=": "passed", "<": "failed", "!==": "failed", "> 0 + ": "failed" };

const fixtures = javascriptFixtures.filter(({ framework }) => framework.name === "node-test");

test.for(fixtures.map((fixture, index) => ({ fixture, title: `${index + 1} of ${fixtures.length}` })))(
  "judges each candidate under the Node $title",
  async ({ fixture }) => {
    const { prepare: _, ...rest } = fixture;
    const open = await openFixture({ ...rest, repository: "repair-javascript", detected: "node --test" });
    try {
      const file = join(open.root, "src/row.js");
      const text = readFileSync(file, "utf8");
      const start = text.indexOf("> size");
      const variants: Variant[] = Object.keys(replacements).map((replacement, index) => {
        return { id: index + 1, start, end: start + 1, replacement };
      });
      const language = languageOf("src/row.js");
      if (language === undefined || start === -1) throw new Error("the fixture is another one");
      writeFileSync(file, (await composeSchema({ path: "src/row.js", text }, language, variants)).text);
      const candidates = variants.map(({ id }) => id);
      const report = await open.runBatch({ tests, candidates, testTimeoutMs: 5000 });
      expect(report.invalid).toBeUndefined();
      const found = candidates.map((id) => report.outcomes.get(id)?.map(({ status }) => status));
      expect(found).toEqual(Object.values(replacements).map((status) => [status, status]));
    } finally {
      open.close();
    }
  },
);
