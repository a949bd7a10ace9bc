/**
 * The frames in which reporters send their lines through a run's channel, a pipe that many processes share: each frame is one
 * write of at most 4,096 bytes, which the kernel never tears or mixes with another's.
 *
 *     KEY STREAM NUMBER LENGTH\n
 *     LENGTH bytes: a line of the report or a part of it; a line ends with its newline
 *
 * KEY is the run's secret, which the first reader of the file `key` beside the pipe gets and nobody after it; or one that a key's
 * owner granted, in a stream `grant`, to a process that it starts. `-` is written by processes without a key. STREAM names a process's
 * report, NUMBER counts its frames from 0.
 */

/** Whose process writes: "keyed" had the run's secret; anybody could have written what is "open". */
export type StreamOrigin = "keyed" | "open";

export interface ReportStream {
  readonly name: string;
  readonly origin: StreamOrigin;
  /** Whole lines, and what is left of a torn last one. */
  readonly lines: Buffer;
}

export interface ReceivedReport {
  /** In their order; nobody adds to a stream but the owner of its key. */
  readonly streams: readonly ReportStream[];
  /** Why it cannot be what our reporters wrote, or undefined. */
  readonly problem: string | undefined;
}

/** Of a run in which no reporter came to speak. */
export const nothingReceived: ReceivedReport = { streams: [], problem: undefined };

const header = /^([0-9a-f]{32}|-) ([\w.-]{1,64}) (\d{1,9}) (\d{1,4})$/;
const longestHeader = 128;
const noKey = "-";

const grantStream = "grant";

/** Frames up to the first that no reporter of ours wrote: what follows it means nothing. */
export function readFrames(received: Buffer, key: string): ReceivedReport {
  const keys = new Set([noKey, key]);
  const parts = new Map<string, { name: string; origin: StreamOrigin; next: number; pieces: Buffer[] }>();
  let problem: string | undefined;
  for (let at = 0; at < received.length && problem === undefined; ) {
    const frame = readFrame(received, at);
    if (frame === undefined || !keys.has(frame.key)) {
      problem = "something else than our reporters wrote into the report's channel";
      break;
    }
    at = frame.end;
    const id = `${frame.key} ${frame.stream}`;
    const origin = frame.key === noKey ? "open" : "keyed";
    const stream = parts.get(id) ?? { name: frame.stream, origin, next: 0, pieces: [] };
    parts.set(id, stream);
    if (frame.number !== stream.next) {
      problem = `the report ${frame.stream} is not whole: part ${stream.next} is missing, or came twice`;
      break;
    }
    stream.next += 1;
    if (origin === "keyed" && frame.stream === grantStream) keys.add(frame.payload.toString("latin1").trim());
    else stream.pieces.push(frame.payload);
  }
  const streams = [...parts.values()].filter(({ pieces }) => pieces.length > 0);
  return {
    streams: streams.map(({ name, origin, pieces }) => ({ name, origin, lines: Buffer.concat(pieces) })),
    problem,
  };
}

interface Frame {
  readonly key: string;
  readonly stream: string;
  readonly number: number;
  readonly payload: Buffer;
  readonly end: number;
}

function readFrame(received: Buffer, at: number): Frame | undefined {
  const start = received.subarray(at, at + longestHeader);
  const newline = start.indexOf(0x0a);
  const found = header.exec(start.toString("latin1", 0, Math.max(0, newline)));
  if (found === null) return undefined;
  const [, key = "", stream = "", number = "", length = ""] = found;
  const from = at + newline + 1;
  const end = from + Number(length);
  // The last frame of a killed run is whole too: a frame is one write.
  if (end > received.length) return undefined;
  return { key, stream, number: Number(number), payload: received.subarray(from, end), end };
}
