/**
 * Waits until a server's answers are complete. After its start, a server indexes the project, and reports the end of
 * this work in one of three ways.
 */

import { setTimeout as delay } from "node:timers/promises";
import type { ProtocolConnection } from "vscode-languageserver-protocol/node";
import { fieldOf } from "../base/fields.ts";
import type { Readiness } from "./language-server.ts";

export interface ReadinessWatch {
  /** Resolves to true once the server is ready. Resolves to false at the limit; answers may then be incomplete. */
  wait(limitMs: number): Promise<boolean>;
  /** Returns a problem of the project, in the server's words, or undefined. */
  caution(): string | undefined;
}

/** Milliseconds in which a server with progress reports begins its first or next piece of work. */
const beginGraceMs = 1500;
const quietMs = 250;
const lookMs = 25;
/** Maximum number of characters of a caution. */
const longestCaution = 200;

/** Starts to watch whether the server is ready. Call this function before the server is initialised. */
export function watchReadiness(protocol: ProtocolConnection, readiness: Readiness): ReadinessWatch {
  const work = new Set<unknown>();
  let caution: string | undefined;
  let hasBegun = false;
  let isReady = readiness === "at-once";
  let lastChange = performance.now();

  protocol.onNotification("$/progress", (parameters: unknown) => {
    const token = fieldOf(parameters, "token");
    lastChange = performance.now();
    if (fieldOf(fieldOf(parameters, "value"), "kind") === "end") work.delete(token);
    else {
      hasBegun = true;
      work.add(token);
    }
  });
  if (typeof readiness === "object") {
    protocol.onNotification(readiness.notification, (parameters: unknown) => {
      if (readiness.isReady(parameters)) isReady = true;
      caution = firstLine(readiness.caution?.(parameters));
    });
  }
  const isQuiet = (): boolean =>
    work.size === 0 && performance.now() - lastChange > (hasBegun ? quietMs : beginGraceMs);
  return {
    caution: () => caution,
    async wait(limitMs) {
      const deadline = performance.now() + limitMs;
      lastChange = performance.now();
      while (!isReady && performance.now() < deadline) {
        if (readiness === "progress" && isQuiet()) isReady = true;
        else await delay(lookMs);
      }
      return isReady;
    },
  };
}

/** Returns the first line of a text, because servers forward whole logs of the tools that they call. */
function firstLine(text: string | undefined): string | undefined {
  const [line] = text?.trim().split("\n") ?? [];
  return line === undefined || line === "" ? undefined : line.slice(0, longestCaution);
}
