import { expect, test } from "vitest";
import { textOfValue } from "./value-text.ts";

test("a value is written as its language writes it", () => {
  const value = { j: [null, true, { "a b": false, n: 1.5, s: "null\\n" }] };
  const plain = '{"a b":false,"n":1.5,"s":"null\\\\n"}';
  expect(textOfValue(value, "src/row.js")).toBe(`[null,true,${plain}]`);
  expect(textOfValue(value, "row.go")).toBe(`[nil,true,${plain}]`);
  expect(textOfValue(value, "")).toBe(`[null,true,${plain}]`);
  expect(textOfValue(value, "app/row.py")).toBe(`[None,True,${plain.replace("false", "False")}]`);
  expect(textOfValue({ d: "Day(\n  y=1)" }, "app/row.py")).toBe("Day( y=1)");
  expect(textOfValue({ t: "socket" }, "app/row.py")).toBe("socket");
});
