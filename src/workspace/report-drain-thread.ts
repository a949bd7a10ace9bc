/** Runs the thread of report-drain.ts, which copies the pipes. */
import { closeSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { parentPort } from "node:worker_threads";
import type { DrainMessage } from "./report-drain.ts";

const pipes = new Map<number, Socket>();

parentPort?.on("message", (message: DrainMessage) => {
  if ("stop" in message) pipes.get(message.stop)?.destroy();
  else drain(message.id, message.reading, message.writing);
});

/**
 * Reads until the pipe's last writer, including this process, is gone. Also ends on a full disk, and then truncates the
 * report.
 */
function drain(id: number, reading: number, writing: number): void {
  const pipe = new Socket({ fd: reading, readable: true, writable: false });
  pipes.set(id, pipe);
  pipe.on("data", (chunk: Buffer) => {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(writing, chunk, at);
    } catch {
      pipe.destroy();
    }
  });
  pipe.on("error", () => {}); // "close" comes after it
  pipe.on("close", () => {
    pipes.delete(id);
    closeSync(writing);
    parentPort?.postMessage(id);
  });
}
