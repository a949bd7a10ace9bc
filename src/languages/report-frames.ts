/**
 * The frames in which reporters send their lines through a run's channel, a pipe shared by many processes. Each frame
 * is one write of at most 4,096 bytes, which the kernel never splits or mixes with another's.
 *
 *     KEY STREAM NUMBER LENGTH\n
 *     LENGTH bytes: a line of the report or a part of it; a line ends with its newline
 *
 * KEY is the run's secret. Only the first reader of the file `key` next to the pipe gets it. A process can also have a
 * key that another key's owner granted to it in a stream `grant`. Processes without a key write `-`. STREAM identifies
 * a process's report, NUMBER counts its frames from 0.
 */

/** The possible writers of a stream. "keyed": a process that has the run's secret. "open": any process. */
export type StreamOrigin = "keyed" | "open";

export interface ReportStream {
  readonly name: string;
  readonly origin: StreamOrigin;
  /** Complete lines, and the received part of a truncated last one. */
  readonly lines: Buffer;
}

export interface ReceivedReport {
  /** The lines in order. Only the owner of its key can add lines to a keyed stream. */
  readonly streams: readonly ReportStream[];
  /** The reason why our reporters cannot have written this; otherwise undefined. */
  readonly problem: string | undefined;
}

/** The report of a run in which no reporter wrote anything. */
export const nothingReceived: ReceivedReport = { streams: [], problem: undefined };

const header = /^([0-9a-f]{32}|-) ([\w.-]{1,64}) (\d{1,9}) (\d{1,4})$/;
const longestHeader = 128;
const noKey = "-";

const grantStream = "grant";

/** Reads frames up to the first frame that our reporters cannot have written. Ignores all later data. */
export function readFrames(received: Buffer, key: string): ReceivedReport {
  const keys = new Set([noKey, key]);
  const parts = new Map<string, { name: string; origin: StreamOrigin; next: number; pieces: Buffer[] }>();
  let problem: string | undefined;
  for (let at = 0; at < received.length && problem === undefined; ) {
    const frame = readFrame(received, at);
    if (frame === undefined || !keys.has(frame.key)) {
      problem = "something other than Millwright's reporters wrote to the report channel";
      break;
    }
    at = frame.end;
    const id = `${frame.key} ${frame.stream}`;
    const origin = frame.key === noKey ? "open" : "keyed";
    const stream = parts.get(id) ?? { name: frame.stream, origin, next: 0, pieces: [] };
    parts.set(id, stream);
    if (frame.number !== stream.next) {
      problem = `the report ${frame.stream} is incomplete: part ${stream.next} is missing or repeated`;
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
  // A killed run's last frame is complete too, because a frame is one write.
  if (end > received.length) return undefined;
  return { key, stream, number: Number(number), payload: received.subarray(from, end), end };
}
