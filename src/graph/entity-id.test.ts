import fc from "fast-check";
import { expect, it } from "vitest";
import { formatEntityId, parseEntityId } from "./entity-id.ts";

it("writes each identity so that it can be read back, and no two alike", () => {
  const part = fc.string({
    unit: fc.constantFrom("a", "B", ".", "/", ":", "#", "%", "~", " ", "\n", "é", "(", "3"),
  });
  const key = fc.record({
    language: fc.constantFrom("python", "typescript", ""),
    path: part,
    qualified: part,
    kind: fc.constantFrom("class", "method", "section"),
    disambiguator: part,
  });
  fc.assert(
    fc.property(key, (one) => {
      expect(parseEntityId(formatEntityId(one))).toEqual(one);
    }),
  );
});

it("reads nothing else as an identity", () => {
  for (const text of ["", "pick", "shop/cart.py:12:pick", "Cart::pick", "python:a.py", "a#b"])
    expect(parseEntityId(text)).toBeUndefined();
});
