import { expect, test } from "vitest";
import language from "../../languages/java/java.ts";
import { composeSchema } from "../compose-schema.ts";

const text = `class A {
    static final int LIMIT;
    static { LIMIT = 1; }
    final int size = 2;
    A() { this(3); f(4); }
    int f(int a) { if (a > 5) { return 6; } return a; }
}
`;

test("leaves out what runs once for a class, and what has to stand first in a constructor", async () => {
  const variants = [1, 2, 3, 4, 5, 6].map((id) => {
    const start = text.indexOf(String(id));
    return { id, start, end: start + 1, replacement: "9" };
  });
  const schema = await composeSchema({ path: "A.java", text }, language, variants);
  expect(schema.left).toEqual([1, 2, 3]);
});

test("ends a version that runs on where the method would miss its return", async () => {
  const before = "return a;";
  const start = text.indexOf(before);
  const variants = [{ id: 7, start, end: start + before.length, replacement: ";" }];
  const schema = await composeSchema({ path: "A.java", text }, language, variants);
  expect(schema.text.replace(/\s+/g, " ")).toMatch(
    /if \((mw_\w+)\.chosen == 7\) \{ if \(\1\.chosen == 7\) \{ ; \} throw new IllegalStateException\(\); \} else \{ return a; \}/,
  );
});
