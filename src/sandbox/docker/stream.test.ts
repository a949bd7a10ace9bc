import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readDockerStream } from "./stream.ts";

function frame(kind: 1 | 2, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = kind;
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

async function read(chunks: readonly Buffer[]): Promise<{ out: Buffer; err: Buffer }> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  await readDockerStream(
    Readable.from(chunks),
    (chunk) => out.push(chunk),
    (chunk) => err.push(chunk),
  );
  return { out: Buffer.concat(out), err: Buffer.concat(err) };
}

test("the two streams come out whole, wherever the connection was cut into chunks", async () => {
  const frames = fc.array(
    fc.record({ kind: fc.constantFrom(1 as const, 2 as const), content: fc.uint8Array({ maxLength: 40 }) }),
  );
  const cuts = fc.array(fc.nat(), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(frames, cuts, async (sent, places) => {
      const bytes = Buffer.concat(sent.map(({ kind, content }) => frame(kind, Buffer.from(content))));
      const positions = [...places.map((place) => place % (bytes.length + 1)), 0, bytes.length].sort(
        (a, b) => a - b,
      );
      const chunks = positions.slice(1).map((position, index) => bytes.subarray(positions[index], position));
      const received = await read(chunks.filter((chunk) => chunk.length > 0));
      const expected = (wanted: number): Buffer =>
        Buffer.concat(sent.filter(({ kind }) => kind === wanted).map(({ content }) => content));
      expect(received.out).toEqual(expected(1));
      expect(received.err).toEqual(expected(2));
    }),
  );
});

test("a stream that is cut in the middle ends with what had come", async () => {
  const whole = frame(1, Buffer.from("complete"));
  expect((await read([whole, frame(1, Buffer.from("torn")).subarray(0, 10)])).out.toString()).toBe(
    "completeto",
  );
  expect((await read([whole.subarray(0, 3)])).out.length).toBe(0);
});
