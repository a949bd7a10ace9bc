import type { Readable } from "node:stream";

/**
 * Length in bytes of the header of each part of Docker's stream: its kind (1 is stdout, 2 is stderr), three zeros, its
 * length.
 */
const headerBytes = 8;

/**
 * Splits Docker's stream into stdout and stderr as the data arrives. Buffers only incomplete headers. Resolves when the
 * stream has ended or broken off.
 */
export function readDockerStream(
  stream: Readable,
  onStdout: (chunk: Buffer) => void,
  onStderr: (chunk: Buffer) => void,
): Promise<void> {
  let header = Buffer.alloc(0);
  let left = 0;
  let sink = onStdout;

  stream.on("data", (chunk: Buffer) => {
    let position = 0;
    while (position < chunk.length) {
      if (left === 0) {
        const part = chunk.subarray(position, position + headerBytes - header.length);
        header = Buffer.concat([header, part]);
        position += part.length;
        if (header.length < headerBytes) return;
        sink = header[0] === 2 ? onStderr : onStdout;
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      }
      const content = chunk.subarray(position, position + left);
      if (content.length > 0) sink(content);
      left -= content.length;
      position += content.length;
    }
  });
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.once("end", () => resolve());
    stream.once("close", () => resolve());
  });
}
