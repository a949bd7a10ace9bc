/** Recognises failures that a missing network causes: a sandbox has no network by default. Pure. */
import type { TestOutcome } from "../../domain/test-outcome.ts";

/** Messages of standard libraries about unknown or unreachable hosts. */
const networkSigns = [
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b/i,
  /\bUnknownHostException\b|\bNoRouteToHostException\b/i,
  /\bgaierror\b|Name or service not known|Temporary failure in name resolution/i,
  /Network is unreachable|No route to host/i,
  /\bdial (?:tcp|udp)\b.*\blookup\b|no such host/i,
  /failed to lookup address information|Could not resolve host/i,
];

/** True if the text reports an unknown or unreachable host. */
export function isAboutNetwork(text: string): boolean {
  return networkSigns.some((sign) => sign.test(text));
}

/** True if the failure reports an unknown or unreachable host, other than this machine. */
export function needsNetwork({ failure }: Pick<TestOutcome, "failure">): boolean {
  if (failure === undefined) return false;
  const text = `${failure.type}: ${failure.message}`;
  return isAboutNetwork(text) && !/\b127\.0\.0\.1\b|\blocalhost\b|\[?::1\b/.test(text);
}
