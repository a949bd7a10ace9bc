import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMessageReader } from "./message-reader.ts";

interface Heard {
  readonly messages: unknown[];
  readonly errors: string[];
  isClosed: boolean;
}

async function hear(chunks: readonly Buffer[]): Promise<Heard> {
  const stream = new PassThrough();
  const reader = createMessageReader(stream);
  const heard: Heard = { messages: [], errors: [], isClosed: false };
  reader.onError((error) => heard.errors.push(error.message));
  reader.onClose(() => {
    heard.isClosed = true;
  });
  reader.listen((message) => heard.messages.push(message));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await new Promise((resolve) => stream.once("end", resolve));
  return heard;
}

function frame(message: unknown): Buffer {
  const content = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${content.length}\r\n\r\n`), content]);
}

test("reads messages whole and in order, however the stream is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string()),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      async (texts, cuts) => {
        const messages = texts.map((text) => ({
          jsonrpc: "2.0",
          method: "m",
          params: { text: `${text}ü𝒳` },
        }));
        const bytes = Buffer.concat(messages.map(frame));
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; ) {
          const length = cuts.next().value as number;
          chunks.push(bytes.subarray(at, at + length));
          at += length;
        }
        expect(await hear(chunks)).toEqual({ messages, errors: [], isClosed: true });
      },
    ),
    { numRuns: 60 },
  );
});

test("takes other headers and any case of their names", async () => {
  const content = '{"jsonrpc":"2.0","id":1,"result":null}';
  const head = `Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: ${content.length}\r\n\r\n`;
  expect((await hear([Buffer.from(head + content)])).messages).toHaveLength(1);
});

test.each([
  ["a line that is no header", "panic: nil dereference\n"],
  ["bytes", "\u0000\u0001\u0002"],
  ["a header without a length", "X-Other: 1\r\n\r\n{}"],
  ["a negative length", "Content-Length: -5\r\n\r\n"],
  ["a length beyond all messages", "Content-Length: 123456789012\r\n\r\n"],
  ["headers without end", `X-Padding: ${"a".repeat(10_000)}`],
  ["content that is no JSON", "Content-Length: 3\r\n\r\n{x}"],
  ["content that is no message", "Content-Length: 2\r\n\r\n42"],
])("ends at once, with one error, at %s", async (_, text) => {
  const message = frame({ jsonrpc: "2.0", method: "late" });
  const { messages, errors } = await hear([Buffer.from(text), message]);
  expect(errors).toHaveLength(1);
  expect(messages).toEqual([]);
});
