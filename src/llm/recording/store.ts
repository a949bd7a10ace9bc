/**
 * Stores recordings: a folder with a file for each request and one for its answer. The request's hash names both files.
 * Writes the request before it is sent, and the answer before anybody sees it. Removes secrets from both.
 */

import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { isSystemError, MillwrightError } from "../../base/errors.ts";
import { fieldOf } from "../../base/fields.ts";
import { hashData } from "../../base/hash.ts";
import type { Redactor } from "../../base/redact.ts";
import { largestText, readRegularFile } from "../../base/regular-file.ts";
import type { RawUsage, TransportResult, WireRequest } from "../provider.ts";
import { byAgreement, bySimilarity, isRequest } from "./nearest.ts";
import { steadyRequest } from "./steady.ts";

export interface Recording {
  /** Finds the answer to the request, from any model. Undefined if the request was never sent or answered. */
  find(request: object): Promise<RecordedAnswer | undefined>;
  /**
   * Finds the answer to a request that differs only in parts that change at each run of a program. If there are several
   * such requests, returns the answer to the most similar one; undefined if there is none.
   */
  findAlike(request: WireRequest): Promise<RecordedAnswer | undefined>;
  /**
   * Finds the answer to the most similar answered request of the same conversation (`bySimilarity`); undefined if none
   * is similar.
   */
  findSimilar(request: WireRequest): Promise<RecordedAnswer | undefined>;
  /** Stores a request. Call it before the request is sent. */
  asked(request: object): Promise<void>;
  answered(request: object, answer: RecordedAnswer): Promise<void>;
  /** Returns all requests, so that the caller can find the nearest one. */
  requests(): Promise<readonly unknown[]>;
}

export interface RecordedAnswer {
  /** `PROVIDER/ID` of the model that answered. */
  readonly model: string;
  /** The answer or the failure. A failure has no `value`. */
  readonly result: TransportResult<unknown>;
  /** The paid usages, including failed attempts, in order. Absent: only the answer's usage. */
  readonly usages?: readonly RawUsage[];
}

const requestEnd = ".request.json";

/** Caches hashes, so that each request is hashed once. */
const keys = new WeakMap<Redactor, WeakMap<object, string>>();

export function openRecording(folder: string, redactor: Redactor): Recording {
  const pathOf = (request: object, end: string) => join(folder, `${handleOf(request, redactor)}${end}`);
  let made: Promise<unknown> | undefined;
  const write = async (path: string, data: object) => {
    made ??= mkdir(folder, { recursive: true, mode: 0o700 });
    await made;
    await writeFileAtomically(path, `${JSON.stringify(redactor.data(data), null, 1)}\n`);
  };
  const answerTo = async (request: object): Promise<RecordedAnswer | undefined> => {
    const file = await readJson(pathOf(request, ".answer.json"));
    return file === undefined ? undefined : (file as RecordedAnswer);
  };
  const firstAnswer = async (requests: readonly WireRequest[]): Promise<RecordedAnswer | undefined> => {
    for (const each of requests) {
      const answer = await answerTo(each);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
  const readRequests = async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(requestEnd)).sort();
    const files = await Promise.all(names.map((name) => readJson(join(folder, name))));
    return files.flatMap((file) => fieldOf(file, "request") ?? []);
  };
  let recorded: Promise<WireRequest[]> | undefined;
  const listRecorded = () => {
    recorded ??= readRequests().then((requests) => requests.filter(isRequest));
    return recorded;
  };
  const steadyHandle = (request: object) => hashData(steadyRequest(cleaned(request, redactor)));
  let alike: Promise<Map<string, WireRequest[]>> | undefined;
  return {
    find: answerTo,
    async findAlike(request) {
      alike ??= listRecorded().then((requests) => Map.groupBy(requests, steadyHandle));
      return firstAnswer(byAgreement(request, (await alike).get(steadyHandle(request)) ?? []));
    },
    async findSimilar(request) {
      return firstAnswer(bySimilarity(JSON.parse(JSON.stringify(request)), await listRecorded()));
    },
    asked: (request) => write(pathOf(request, requestEnd), { schema: "millwright.model-request/1", request }),
    answered: (request, answer) =>
      write(pathOf(request, ".answer.json"), { schema: "millwright.model-answer/1", ...answer }),
    requests: readRequests,
  };
}

/**
 * Names a request and its answer in a recording by a hash. First removes secrets, so that the name does not depend on
 * the user's keys. Call it only once the request is final.
 */
export function handleOf(request: object, redactor: Redactor): string {
  const known = keys.get(redactor) ?? new WeakMap<object, string>();
  keys.set(redactor, known);
  const handle = known.get(request) ?? hashData(cleaned(request, redactor)).slice(0, 24);
  known.set(request, handle);
  return handle;
}

/** Returns the request as its file contains it. */
function cleaned(request: object, redactor: Redactor): object {
  return JSON.parse(JSON.stringify(redactor.data(request)));
}

async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = readRegularFile(path, largestText).toString("utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MillwrightError("disk", `${path} is not a recording: ${String(error)}`, {
      cause: error,
      hint: "Remove the file; Millwright then repeats the call.",
    });
  }
}
