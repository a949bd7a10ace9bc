/**
 * Defines a tool: a question about code, or an edit, as a record. MCP's tools and a model's tools are derived from
 * these records. A tool answers with data and a text. If it fails, the answer says so and names the remedy.
 */
import type { z } from "zod";
import type { Failure, Result, Success } from "../base/result.ts";
import type { EditableFiles, FileChange } from "../edit/contract.ts";
import type { OpenGraph } from "../graph/open-graph.ts";
import type { OpenSearcher } from "../graph/retrieval/open-searcher.ts";
import type { SearchModels } from "../graph/retrieval/with-models.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";

/** The repository on which a tool works. */
export interface CodeContext {
  /** The repository's real path. */
  readonly repository: string;
  /** Returns the index. Updates it within its own time limit. */
  graph(): Promise<OpenGraph>;
  /** Returns the searcher of `find`, which the context keeps between questions. */
  searcher(): Promise<OpenSearcher>;
  /**
   * Returns language servers in their sandbox. Starts them at the first question. If a server is missing or fails, the
   * code graph answers, and the answer says so. Callers need no fallback of their own.
   */
  servers(): Promise<LanguageServers>;
  /** The readable and editable files: regular text files inside the repository. */
  readonly files: EditableFiles;
  /** Writes all changes or none. A failure contains the reason. Absent if tools may not write. */
  readonly write?: (changes: readonly FileChange[]) => Promise<Result<readonly string[]>>;
  /**
   * Code that the caller has already seen. Answers name it, but do not show it again. Absent if each answer is
   * independent.
   */
  readonly shown?: ShownCode;
  /** Opens the configured models that help `find`, at its first question; undefined if there are none. */
  searchModels?(): Promise<Omit<SearchModels, "linesOf"> | undefined>;
  /** Remarks of earlier answers in the conversation. Tools do not repeat them. Absent if each answer is independent. */
  readonly remarks?: Set<string>;
  readonly signal: AbortSignal;
}

/**
 * The lines that a reader has already seen, by path, line number (from 1) and text. A line that has moved or changed
 * counts as unseen.
 */
export interface ShownCode {
  has(path: string, line: number, text: string): boolean;
  note(path: string, startLine: number, lines: readonly string[]): void;
}

export interface ToolAnswer {
  /** The answer's data, as one JSON document. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The answer as a text, for a model or a person. */
  readonly text: string;
}

export type ToolFailureKind = "not-found" | "no-file" | "refused" | "not-applied" | "no-server";

export type ToolFailure = Failure<ToolFailureKind> & {
  /** Data for programs: for example, similar names. */
  readonly data?: Readonly<Record<string, unknown>>;
};

export type ToolResult<T = ToolAnswer> = Success<T> | ToolFailure;

/** A tool as its callers see it. Callers know the tool's input only by its schema. */
export interface CodeTool {
  /** The tool's name, in kebab-case. */
  readonly name: string;
  readonly title: string;
  /** The tool's description for a model: its purpose, when to use it, and when to use another tool. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly effect: "reads" | "writes";
  /**
   * Runs the tool. Throws MillwrightError only if the infrastructure fails, and ZodError if `input` does not fit the
   * schema.
   */
  readonly run: (context: CodeContext, input: unknown) => Promise<ToolResult>;
}

/** A tool as written in its file: `run` gets the parsed input. */
export interface CodeToolRecord<Input extends z.ZodObject> extends Omit<CodeTool, "input" | "run"> {
  readonly input: Input;
  readonly run: (context: CodeContext, input: z.infer<Input>) => Promise<ToolResult>;
}

/** Defines a code tool. The tool's type keeps `Input`, so that the compiler checks the fields of a call. */
export function defineCodeTool<Input extends z.ZodObject>(
  tool: CodeToolRecord<Input>,
): CodeTool & { readonly input: Input } {
  return { ...tool, run: (context, input) => tool.run(context, tool.input.parse(input)) };
}
