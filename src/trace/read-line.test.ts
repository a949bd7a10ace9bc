import fc from "fast-check";
import { expect, test } from "vitest";
import { readTraceLine } from "./read-line.ts";
import { traceLineSchema } from "./trace-lines.ts";

const value = fc.oneof(
  fc.record({ j: fc.jsonValue() }),
  fc.record({ d: fc.string(), cut: fc.nat() }),
  fc.record({ t: fc.string() }),
);
const whole = fc.nat();
/** A line of each kind, and what may stand in it. */
const line = fc.oneof(
  fc.record(
    {
      k: fc.constant("in"),
      c: whole,
      f: whole,
      th: whole,
      at: whole,
      p: whole,
      task: whole,
      test: fc.string(),
      on: fc.string(),
      args: fc.array(fc.tuple(fc.string(), value)),
    },
    { requiredKeys: ["k", "c", "f", "th", "at"] },
  ),
  fc.record(
    {
      k: fc.constant("out"),
      c: whole,
      at: whole,
      how: fc.constantFrom("return", "error", "throw", "drop"),
      value,
      message: fc.string(),
      place: fc.string(),
    },
    { requiredKeys: ["k", "c", "at", "how"] },
  ),
  fc.record({ k: fc.constantFrom("wait", "wake"), c: whole, at: whole }),
  fc.record({ k: fc.constant("end"), at: whole }),
  fc.record(
    { k: fc.constant("thread"), n: whole, name: fc.string(), from: whole },
    { requiredKeys: ["k", "n", "name"] },
  ),
  fc.record({
    k: fc.constant("cut"),
    f: whole,
    why: fc.constantFrom("depth", "records", "bytes", "sampled"),
    count: whole,
  }),
  fc.record({ k: fc.constant("function"), f: whole, name: fc.string(), path: fc.string(), line: whole }),
  fc.record({
    k: fc.constant("process"),
    v: fc.constant(1),
    pid: whole,
    parent: whole,
    language: fc.string(),
    arguments: fc.array(fc.string()),
    epoch: fc.double({ noNaN: true, noDefaultInfinity: true }),
  }),
);

const sameAsSchema = (text: string): void => {
  const byHand = readTraceLine(text);
  const bySchema = traceLineSchema.safeParse(JSON.parse(text));
  expect(byHand !== undefined, text).toBe(bySchema.success);
};

test("every line that the schema takes is taken", () => {
  fc.assert(
    fc.property(line, (each) => {
      expect(readTraceLine(JSON.stringify(each))).toEqual(JSON.parse(JSON.stringify(each)));
      sameAsSchema(JSON.stringify(each));
    }),
  );
});

test("with a field gone or of another kind, both say the same", () => {
  const broken = fc.tuple(line, fc.nat(), fc.oneof(fc.constant(undefined), fc.jsonValue()));
  fc.assert(
    fc.property(broken, ([each, number, other]) => {
      const keys = Object.keys(each);
      const key = keys[number % keys.length] ?? "k";
      sameAsSchema(JSON.stringify({ ...each, [key]: other }));
    }),
  );
});

test.each(["", "null", "3", "[]", '{"k":"in"', '{"k":"constructor"}', '{"c":1}'])("%j is no line", (text) => {
  expect(readTraceLine(text)).toBeUndefined();
});
