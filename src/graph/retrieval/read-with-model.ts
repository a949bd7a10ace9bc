/**
 * Extracts a text's mentions of code with a model: names with their kinds, paths, and the code's possible words for the
 * subject.
 */
import { z } from "zod";
import type { ModelClient, ModelFailure } from "../../llm/contract.ts";
import { identifierTerms } from "../forms/words.ts";
import type { NameMention, PathMention } from "./read-mentions.ts";
import type { Query } from "./read-query.ts";
import { readingPrompt } from "./with-model.prompt.ts";

export const readingSchema = z.object({
  names: z.array(
    z.object({
      name: z.string().describe("an identifier as the code writes it"),
      within: z.string().nullable().describe("the type or module that contains the name"),
      kind: z.enum(["type", "function", "value", "unknown"]),
      said: z.boolean().describe("true: the text contains the name; false: you infer the name"),
    }),
  ),
  paths: z.array(z.object({ path: z.string(), line: z.number().int().positive().nullable() })),
  words: z
    .array(z.string())
    .describe("words that the code, its comments or its messages may use for the described behaviour"),
});
export type Reading = z.infer<typeof readingSchema>;

/** Maximum number of characters that the model reads. The end of a longer text is usually a log. */
const longestText = 24_000;
const nameWeights = { said: 2, inferred: 1 } as const;
const wordWeight = 0.7;
const mostOfEach = 40;

export async function readWithModel(
  client: ModelClient,
  statement: string,
  signal?: AbortSignal,
): Promise<Reading | ModelFailure> {
  const answer = await client.generate({
    role: "retrieval",
    system: readingPrompt,
    messages: [{ role: "user", text: statement.slice(0, longestText) }],
    output: { name: "mentions", schema: readingSchema },
    settings: { maxOutputTokens: 2000 },
    ...(signal === undefined ? {} : { signal }),
  });
  if (!answer.ok) return answer;
  return answer.value.output ?? { names: [], paths: [], words: [] };
}

/**
 * Adds to the query the words, names and paths that the model found, at most `mostOfEach` of each. Keeps those that the
 * rules found.
 */
export function joinReading(query: Query, reading: Reading): Query {
  const terms = new Map(query.terms);
  const words = new Map(query.words);
  for (const word of reading.words.slice(0, mostOfEach)) {
    const { words: parts, whole } = identifierTerms(word.trim());
    for (const term of new Set([...parts, whole])) {
      if (terms.has(term)) continue;
      terms.set(term, wordWeight);
      words.set(term, word);
    }
  }
  const names = reading.names.slice(0, mostOfEach).map(toName);
  const paths = reading.paths.slice(0, mostOfEach).map(toPath);
  const { mentions } = query;
  return {
    ...query,
    terms,
    words,
    mentions: { names: [...mentions.names, ...names], paths: [...mentions.paths, ...paths] },
  };
}

function toName({ name, within, kind, said }: Reading["names"][number]): NameMention {
  const last = (text: string): string => text.split(/::|\.|#|->/).at(-1) ?? text;
  return {
    name: last(name.replace(/\(.*$/, "")),
    qualifier: within === null ? undefined : last(within),
    weight: said ? nameWeights.said : nameWeights.inferred,
    isInferred: !said,
    kind: kind === "unknown" ? undefined : kind,
  };
}

function toPath({ path, line }: Reading["paths"][number]): PathMention {
  return { path, line: line ?? undefined, source: "path", weight: 1.5 };
}
