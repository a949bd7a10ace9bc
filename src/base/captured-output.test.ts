import fc from "fast-check";
import { expect, test } from "vitest";
import { createOutputCapture, renderOutput, wholeOutput } from "./captured-output.ts";

test("whatever the chunks, the first and the last bytes are kept, within the limit, and all are counted", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 2, max: 60 }), (parts, limit) => {
      const capture = createOutputCapture(limit);
      for (const part of parts) capture.push(Buffer.from(part));
      const all = Buffer.concat(parts);
      const { head, tail, totalBytes } = capture.finish();
      expect(totalBytes).toBe(all.length);
      expect(head.length + tail.length).toBe(Math.min(all.length, limit));
      expect(all.subarray(0, head.length)).toEqual(head);
      expect(all.subarray(all.length - tail.length)).toEqual(tail);
    }),
  );
});

test("a dropped middle is said where it was, and such an output is not whole", () => {
  const capture = createOutputCapture(8);
  capture.push(Buffer.from("0123456789"));
  const output = capture.finish();
  expect(renderOutput(output)).toBe("0123\n[… 2 bytes left out …]\n6789");
  expect(wholeOutput(output)).toBeUndefined();
});

test("bytes that are no text survive, and are shown as such", () => {
  const capture = createOutputCapture(8);
  capture.push(Buffer.from([0xff, 0x00, 0x41]));
  expect(wholeOutput(capture.finish())).toEqual(Buffer.from([0xff, 0x00, 0x41]));
  expect(renderOutput(capture.finish())).toBe("\ufffd\u0000A");
});
