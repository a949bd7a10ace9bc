import { expect, test } from "vitest";
import { skipsMore } from "./early-exit.ts";

function skips(text: string, before: string, inserted: string): boolean {
  const start = text.indexOf(before);
  return skipsMore(text, { start, end: start, replacement: inserted });
}

const slug =
  "func Make(s string) string {\n\tif !smart {\n\t\ts = s[:most]\n\t}\n\n\ts = clean(s)\n\treturn s\n}\n";
const deferred =
  "func parse(s string) (p *parser) {\n\tdefer func() {\n\t\tif p.ambiguous {\n\t\t\tp.swap()\n\t\t}\n\t}()\n\n\tp = read(s)\n\treturn p\n}\n";
const loops = "def read(lines):\n    for line in lines:\n        note(line)\n        keep(line)\n    end()\n";
const last = "def drop(cart, key):\n    del cart[key]\n\n\ndef other():\n    return 1\n";
const script = "function keep(a) {\n  a.forEach((one) => {\n    one.run();\n  });\n  return a;\n}\n";

test.each([
  ["statements after the block", slug, "s = s[:most]", "if len(s) < most {\n\t\t\treturn s\n\t\t}\n\t\t"],
  ["the next statement of the loop", loops, "note(line)", "if not line: continue\n        "],
  ["what follows the loop", loops, "keep(line)", "if not line: return\n        "],
])("%s", (_, text, before, inserted) => {
  expect(skips(text, before, inserted)).toBe(true);
});

test.each([
  [
    "the last statement of a deferred function",
    deferred,
    "if p.amb",
    "if p == nil {\n\t\t\treturn\n\t\t}\n\t\t",
  ],
  ["the last statement of the loop", loops, "keep(line)", "if not line: continue\n        "],
  ["the only statement", last, "del cart", "if key not in cart: return\n    "],
  ["the only statement of a callback", script, "one.run", "if (!one) return;\n    "],
  ["no exit", slug, "s = s[:most]", "s = s + s\n\t\t"],
])("nothing else: %s", (_, text, before, inserted) => {
  expect(skips(text, before, inserted)).toBe(false);
});
