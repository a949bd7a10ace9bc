/**
 * Answers a question about code on the command line with a tool of `src/tools/`. The answer has the same data and text
 * as for an agent.
 */
import type { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { openSearcher } from "../graph/retrieval/open-searcher.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import { absentServers } from "../lsp/with-fallback.ts";
import type { CodeContext, CodeTool, ToolFailure } from "../tools/contract.ts";
import { openTextFiles } from "../workspace/text-files.ts";
import { nothingFound, printJson } from "./graph-flags.ts";
import type { GraphSession } from "./graph-session.ts";

export interface ToolQuestion {
  readonly schema: string;
  /** Fields of the JSON document besides the answer. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  /** Opens the language servers; absent: the answer uses no server. */
  readonly servers?: () => Promise<LanguageServers>;
}

/** Prints the answer, and returns the exit code. Throws MillwrightError("usage") for invalid questions. */
export async function answerTool<Input extends z.ZodObject>(
  session: GraphSession,
  tool: CodeTool & { readonly input: Input },
  input: z.input<Input>,
  question: ToolQuestion,
): Promise<number> {
  const { schema, about, json } = question;
  const result = await tool.run(contextOf(session, question), input);
  if (!result.ok) return reportFailure(session, result, question);
  if (json) printJson({ schema, ...about, index: session.index, ...result.value.data });
  else process.stdout.write(`${sanitizeForTerminal(result.value.text.trimEnd())}\n`);
  return 0;
}

function reportFailure(session: GraphSession, failure: ToolFailure, question: ToolQuestion): number {
  const { message, kind, data } = failure;
  if (kind === "refused" || kind === "no-file") throw new MillwrightError("usage", message);
  const { schema, about, json } = question;
  if (json) printJson({ schema, ...about, index: session.index, ...data, message });
  process.stderr.write(`${sanitizeForTerminal(message)}\n`);
  return nothingFound;
}

function contextOf(
  { graph, repository, directory, signal }: GraphSession,
  question: ToolQuestion,
): CodeContext {
  return {
    repository,
    graph: async () => graph,
    searcher: async () => openSearcher({ graph, repository }),
    servers: question.servers ?? (async () => absentServers("No language server was used.")),
    files: openTextFiles(repository, directory, process.env.HOME),
    signal,
  };
}
