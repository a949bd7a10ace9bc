/**
 * Reads the protocol's messages from a stream that may contain anything. Rejects invalid or oversized messages at once,
 * and keeps none of their bytes. The library's own reader would buffer them.
 */
import type { Readable } from "node:stream";
import { Emitter, type Message, type MessageReader } from "vscode-languageserver-protocol/node";

/**
 * Maximum bytes of all headers of a message. Below: of a message's content. A list of all symbols of a large project
 * has about 10 MB.
 */
const headerLimit = 8 * 1024;
const contentLimit = 128 * 1024 ** 2;

const separator = Buffer.from("\r\n\r\n");

export function createMessageReader(stream: Readable): MessageReader {
  const errors = new Emitter<Error>();
  const closes = new Emitter<void>();
  const partials = new Emitter<never>();
  return {
    onError: errors.event,
    onClose: closes.event,
    onPartialMessage: partials.event,
    listen(callback) {
      const push = createParser(callback);
      const onData = (chunk: Buffer): void => {
        try {
          push(chunk);
        } catch (error) {
          stop();
          errors.fire(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const onEnd = (): void => closes.fire();
      const stop = (): void => {
        stream.off("data", onData);
        stream.resume(); // the rest is discarded
      };
      stream.on("data", onData);
      stream.once("end", onEnd);
      return {
        dispose() {
          stop();
          stream.off("end", onEnd);
        },
      };
    },
    dispose() {
      for (const emitter of [errors, closes, partials]) emitter.dispose();
    },
  };
}

/** Creates a parser that throws on the first byte that cannot belong to a message. */
function createParser(callback: (message: Message) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let wanted: number | undefined;

  function take(length: number): Buffer {
    const whole = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    chunks = [whole.subarray(length)];
    bytes -= length;
    return whole.subarray(0, length);
  }
  function readHeader(): boolean {
    const start = Buffer.concat(chunks).subarray(0, headerLimit);
    const end = start.indexOf(separator);
    if (end < 0 && bytes >= headerLimit) throw notProtocol(start);
    if (!lookLikeHeaders(end < 0 ? start : start.subarray(0, end))) throw notProtocol(start);
    if (end < 0) return false;
    wanted = contentLength(take(end + separator.length).toString("latin1"));
    return true;
  }
  return (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes > 0) {
      if (wanted === undefined && !readHeader()) return;
      if (wanted === undefined || bytes < wanted) return;
      const content = take(wanted);
      wanted = undefined;
      callback(parseMessage(content));
    }
  };
}

/**
 * True if the bytes may begin headers: `Name: value` in ASCII, each with CR and LF. This check finds a wrong first line
 * before a whole block has arrived.
 */
function lookLikeHeaders(start: Buffer): boolean {
  const text = start.toString("latin1");
  return /^[A-Za-z-]{0,40}($|:[\t -~]*($|\r))/.test(text) && !/(^|[^\r])\n/.test(text);
}

function contentLength(headers: string): number {
  const length = Number(/^content-length: *(\d{1,15}) *$/im.exec(headers)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) throw notProtocol(Buffer.from(headers, "latin1"));
  if (length > contentLimit)
    throw new Error(`the server announced a message of ${length} bytes, which is too long`);
  return length;
}

function parseMessage(content: Buffer): Message {
  let message: unknown;
  try {
    message = JSON.parse(content.toString("utf8"));
  } catch {
    throw notProtocol(content);
  }
  if (typeof message !== "object" || message === null || !("jsonrpc" in message)) throw notProtocol(content);
  return message as Message;
}

function notProtocol(bytes: Buffer): Error {
  return new Error(
    `the server's output is not a message: ${JSON.stringify(bytes.subarray(0, 120).toString("utf8"))}`,
  );
}
