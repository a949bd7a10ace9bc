import { expect, it } from "vitest";
import { listConstantForms } from "./constant-conditions.ts";

const php = `<?php
class Matcher {
    public static function match($operator, $version) {
        $key = $operator.$version;
        if (isset(self::$cache[$key])) {
            return self::$cache[$key];
        }
        return self::$cache[$key] = $operator($version);
    }
}
`;

function patch(file: string, base: string, before: string, replacement: string) {
  const start = base.indexOf(before);
  const line = base.slice(0, start).split("\n").length;
  const facts = { template: "test", description: "", prior: 1, likeness: 1, line, statementLine: line };
  return { ...facts, file, base, start, end: start + before.length, replacement };
}

it("makes a changed condition constant", async () => {
  const forms = await listConstantForms(patch("m.php", php, "cache[$key])", "cache[$operator])"));
  expect(forms.map(({ constant, text }) => [constant, text.split("\n")[4]?.trim()])).toEqual([
    ["false", "if (false) {"],
    ["true", "if (true) {"],
  ]);
});

it("makes the condition of an inserted statement constant", async () => {
  const base = "def first(items):\n    return items[0]\n";
  const inserted = patch("m.py", base, "    return", "    if not items: return None\n    return");
  const forms = await listConstantForms(inserted);
  expect(forms.map(({ text }) => text.split("\n")[1])).toEqual([
    "    if False: return None",
    "    if True: return None",
  ]);
});

it("has no form for a change outside of conditions", async () => {
  expect(await listConstantForms(patch("m.php", php, "$operator.$version", "$version.$operator"))).toEqual(
    [],
  );
});
