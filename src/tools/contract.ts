/**
 * A question about code, or an edit of it, as a record: MCP's tools, and the tools of a model, are derived from it. What it
 * answers is data with a text beside it, and a failure is an answer too, which says what to do.
 */
import type { z } from "zod";
import type { Failure, Result, Success } from "../base/result.ts";
import type { EditableFiles, FileChange } from "../edit/contract.ts";
import type { OpenGraph } from "../graph/open-graph.ts";
import type { OpenSearcher } from "../graph/retrieval/open-searcher.ts";
import type { SearchModels } from "../graph/retrieval/with-models.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";

/** The repository that is asked about. */
export interface CodeContext {
  /** Its real path. */
  readonly repository: string;
  /** The index, brought up to date within a limit of its own. */
  graph(): Promise<OpenGraph>;
  /** What `find` answers from, kept between questions. */
  searcher(): Promise<OpenSearcher>;
  /**
   * Language servers in their sandbox, started when they are asked first. Where one is missing or fails, the code graph answers
   * and says so: nothing above this decides again who is asked.
   */
  servers(): Promise<LanguageServers>;
  /** What may be read and edited: regular text files inside the repository. */
  readonly files: EditableFiles;
  /** Writes all or nothing; a failure says what stood in the way. Absent where nothing may be written. */
  readonly write?: (changes: readonly FileChange[]) => Promise<Result<readonly string[]>>;
  /** Code that the asker has in front of them: it is named and not shown again. Absent where each answer stands alone. */
  readonly shown?: ShownCode;
  /** Models that help `find`, where some are configured; opened when it is asked first. */
  searchModels?(): Promise<Omit<SearchModels, "linesOf"> | undefined>;
  /** Remarks that hold for all of a conversation and were made in it: they are not made again. Absent where each answer stands alone. */
  readonly remarks?: Set<string>;
  readonly signal: AbortSignal;
}

/** By path, line from 1, and text: a line that moved or changed is another. */
export interface ShownCode {
  has(path: string, line: number, text: string): boolean;
  note(path: string, startLine: number, lines: readonly string[]): void;
}

export interface ToolAnswer {
  /** One JSON document. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The same for a reader: a model or a person. */
  readonly text: string;
}

export type ToolFailureKind = "not-found" | "no-file" | "refused" | "not-applied" | "no-server";

export type ToolFailure = Failure<ToolFailureKind> & {
  /** What a program can use of it: names that are near, for example. */
  readonly data?: Readonly<Record<string, unknown>>;
};

export type ToolResult<T = ToolAnswer> = Success<T> | ToolFailure;

/** A tool as whoever asks it has it: of its input nothing is known but the schema. */
export interface CodeTool {
  /** kebab-case. */
  readonly name: string;
  readonly title: string;
  /** For a model: what it answers, when to take it, when to take another. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly effect: "reads" | "writes";
  /** Throws MillwrightError only where the infrastructure fails, and ZodError where `input` does not fit the schema. */
  readonly run: (context: CodeContext, input: unknown) => Promise<ToolResult>;
}

/** A tool as its file writes it: `run` gets what the schema made of the input. */
export interface CodeToolRecord<Input extends z.ZodObject> extends Omit<CodeTool, "input" | "run"> {
  readonly input: Input;
  readonly run: (context: CodeContext, input: z.infer<Input>) => Promise<ToolResult>;
}

/** `Input` is told outside too: who asks one tool by its name has its fields checked. */
export function defineCodeTool<Input extends z.ZodObject>(
  tool: CodeToolRecord<Input>,
): CodeTool & { readonly input: Input } {
  return { ...tool, run: (context, input) => tool.run(context, tool.input.parse(input)) };
}
