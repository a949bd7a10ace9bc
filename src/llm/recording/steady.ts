/** Removes the parts of texts that differ each time a program runs, so that a replay can compare requests. */

import { mapStrings } from "../../base/map-strings.ts";

const duration = String.raw`\d+(?:[.,]\d+)?\s?(?:µs|us|ms|secs?|seconds?|s|min|minutes?|m|h|hours?)\b`;

/**
 * Patterns, each with the text that replaces its matches. Times come before durations, because times contain durations.
 */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, "TIME"],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, "TIME"],
  // pytest shortens long texts of objects: `<generator o...7fe043f7d300>`.
  [/\b0x[0-9a-f]{5,}\b|(?<=\.\.\.)[0-9a-f]{6,}(?=>)/gi, "ADDRESS"],
  [/\b[0-9a-f]{40}\b|\b[0-9a-f]{64}\b/g, "HASH"],
  // The handle of a kept text is a hash of it, with its durations and addresses.
  [/\boutput:[0-9a-f]{8}\b/g, "HANDLE"],
  [/(?<=\/tmp\/)[^\s/'":;,)\]]+|\bpytest-\d+\b/g, "TEMPORARY"],
  [
    /(?<=(?:\b127\.0\.0\.1|\blocalhost|\[?::1\]?|\b0\.0\.0\.0):)\d{2,5}\b|(?<=\bport['"]?\s?[=:]?\s?)\d{4,5}\b/gi,
    "PORT",
  ],
  [/(?<=\bpid['"]?\s?[=:]?\s?)\d+\b|(?<=\bthread '[^'\n]*' \()\d+(?=\))/gi, "PROCESS"],
  [new RegExp(String.raw`\b${duration}(?:,? ${duration})*`, "g"), "DURATION"],
];

/**
 * Replaces clock times, durations, addresses, hashes, ports, processes and temporary names in a request with fixed
 * words. Sorts the lines of each text, because parallel tests end in any order.
 */
export function steadyRequest<T extends object>(request: T): T {
  return mapStrings(request, (text) =>
    changing
      .reduce((steady, [pattern, word]) => steady.replace(pattern, word), text)
      .split("\n")
      .sort()
      .join("\n"),
  );
}
