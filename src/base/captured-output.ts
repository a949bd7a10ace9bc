/**
 * The first and last bytes of a stream, and its total length. The capture's limit bounds the memory, even for a
 * gigabyte, one line of 100 MB, or binary data.
 */
export interface CapturedOutput {
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Bytes that the process wrote; more than `head.length + tail.length` when the middle was dropped. */
  readonly totalBytes: number;
}

export interface OutputCapture {
  push(chunk: Buffer): void;
  finish(): CapturedOutput;
}

/** Creates a capture that keeps at most `limit` bytes: half from the start and half from the end. */
export function createOutputCapture(limit: number): OutputCapture {
  const headLimit = Math.floor(limit / 2);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let totalBytes = 0;

  function pushTail(chunk: Buffer): void {
    const kept = chunk.length > tailLimit ? chunk.subarray(chunk.length - tailLimit) : chunk;
    // A copy: a view would keep the whole chunk of the stream alive.
    tail.push(Buffer.from(kept));
    tailBytes += kept.length;
    if (tailBytes > 2 * tailLimit) {
      const joined = Buffer.concat(tail).subarray(-tailLimit);
      tail = [Buffer.from(joined)];
      tailBytes = joined.length;
    }
  }

  return {
    push(chunk) {
      totalBytes += chunk.length;
      const room = headLimit - headBytes;
      if (room > 0) {
        head.push(Buffer.from(chunk.subarray(0, room)));
        headBytes += Math.min(room, chunk.length);
      }
      if (chunk.length > room) pushTail(chunk.subarray(Math.max(0, room)));
    },
    finish() {
      const last = Buffer.concat(tail);
      return {
        head: Buffer.concat(head),
        tail: last.length > tailLimit ? last.subarray(last.length - tailLimit) : last,
        totalBytes,
      };
    },
  };
}

/** Renders the output as text. Invalid UTF-8 becomes U+FFFD. A note replaces a dropped middle, and gives its size. */
export function renderOutput(output: CapturedOutput): string {
  const dropped = output.totalBytes - output.head.length - output.tail.length;
  if (dropped <= 0) return Buffer.concat([output.head, output.tail]).toString("utf8");
  return `${output.head.toString("utf8")}\n[… ${dropped} bytes left out …]\n${output.tail.toString("utf8")}`;
}

/** True for a text of `renderOutput` that lacks its middle. */
export function isCutOutput(text: string): boolean {
  return /^\[… \d+ bytes left out …\]$/m.test(text);
}

/** Returns all bytes of the output; undefined if the capture dropped any. */
export function wholeOutput(output: CapturedOutput): Buffer | undefined {
  const whole = Buffer.concat([output.head, output.tail]);
  return whole.length === output.totalBytes ? whole : undefined;
}
