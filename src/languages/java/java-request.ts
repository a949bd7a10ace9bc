/**
 * The request to a Java build. Variables pass it to the build, which copies it to its report folder; Millwright reads
 * it back from there.
 */
import { deflateSync, inflateSync } from "node:zlib";
import { z } from "zod";
import { testKeySchema } from "../../domain/test-outcome.ts";
import type { InvocationRequest, Selection } from "../contract.ts";

/** Linux limits one environment string to 128 KiB. `run-build.sh` reads ten strings. */
const partLength = 100_000;
const mostParts = 10;

const requestSchema = z.object({
  selection: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("all") }),
    z.object({ kind: z.literal("files"), files: z.array(z.string()) }),
    z.object({ kind: z.literal("tests"), tests: z.array(testKeySchema) }),
  ]),
  /** Folders of the build's modules relative to the repository, the deepest first. */
  modules: z.array(z.string()),
});
export type BuildRequest = z.infer<typeof requestSchema>;

/**
 * Returns the variables with the request for `run-build.sh`. If the list of tests is too long, requests their whole
 * classes.
 */
export function encodeBuildRequest(
  request: Pick<InvocationRequest, "selection" | "testTimeoutMs">,
  modules: readonly string[],
): Record<string, string> {
  let encoded = encode(request.selection, modules);
  if (encoded.length > partLength * mostParts && request.selection.kind === "tests") {
    // More tests than fit: their whole classes, whose outcomes hold those that were asked for.
    const files = [...new Set(request.selection.tests.map((test) => test.target))];
    encoded = encode({ kind: "files", files }, modules);
  }
  const variables: Record<string, string> = { MILLWRIGHT_TEST_TIMEOUT: String(request.testTimeoutMs) };
  for (let part = 0; part * partLength < encoded.length; part += 1) {
    const name = part === 0 ? "MILLWRIGHT_REQUEST" : `MILLWRIGHT_REQUEST_${part}`;
    variables[name] = encoded.slice(part * partLength, (part + 1) * partLength);
  }
  return variables;
}

function encode(selection: Selection, modules: readonly string[]): string {
  return deflateSync(JSON.stringify({ selection, modules })).toString("base64");
}

/** Decodes a build's request; undefined if the run ended before it wrote the request. */
export function readBuildRequest(text: string): BuildRequest | undefined {
  try {
    return requestSchema.parse(JSON.parse(inflateSync(Buffer.from(text, "base64")).toString("utf8")));
  } catch {
    return undefined;
  }
}
