import { type Command, InvalidArgumentError, Option } from "commander";
import { interruptedExitCode, MillwrightError } from "../../base/errors.ts";
import { findMeant } from "../../graph/find-meant.ts";
import { findFilesByName } from "../../graph/retrieval/find-files.ts";
import { findPassages } from "../../graph/retrieval/find-passages.ts";
import { formatLine, grep, searchedPaths } from "../../graph/retrieval/grep.ts";
import { type OpenSearcher, openSearcher } from "../../graph/retrieval/open-searcher.ts";
import { pathOfPiece } from "../../graph/retrieval/search-index.ts";
import { findTestsOf } from "../../tools/tests-of-place.ts";
import type { PlacedTest } from "../../tools/tests-of-places.ts";
import { findPlacesFor, type PlaceFlags } from "../find-places.ts";
import { placeLines, printLines } from "../find-text.ts";
import { addGraphFlags, type GraphFlags, printJson } from "../graph-flags.ts";
import { type GraphSession, withGraph } from "../graph-session.ts";
import { readStatement, refuseFolder } from "../task-arguments.ts";

const schema = "millwright.find/1";
const kinds = ["place", "file", "test", "document", "text", "pattern"] as const;
type Kind = (typeof kinds)[number];

interface FindFlags extends GraphFlags, PlaceFlags {
  readonly issue?: string;
  readonly kind: Kind;
  readonly in?: string;
}

export function addFindCommand(program: Command): void {
  addGraphFlags(
    program
      .command("find")
      .description("find the places in a repository that match a text; uses the configured models, if any")
      .argument("[query]", "the text to find, such as an issue's text, a question or a file's name")
      .option("--issue <file>", "read the text from a file")
      .addOption(
        new Option(
          "--kind <kind>",
          "place: code that a change concerns; file: files with this name; test: tests of FILE[:LINE] or of a name; document: passages that answer a question; text: lines with this text; pattern: lines that match this regular expression",
        )
          .choices(kinds)
          .default("place"),
      )
      .option("--budget <tokens>", "maximum number of tokens of code to show", readCount, 0)
      .option("--limit <count>", "maximum number of answers", readCount, 10)
      .option(
        "--model <name>",
        "place: PROVIDER/ID of a model that reads the text and judges the found places; or none",
      )
      .option("--embedding-model <name>", "place: PROVIDER/ID of an embedding model, or onnx:FOLDER")
      .option("--model-url <url>", "openai-compatible: the address of the server, with its /v1")
      .option(
        "--ranker-tokens <tokens>",
        "maximum number of tokens of code that the model judges; default 16000",
        readCount,
      )
      .option("--in <path>", "text and pattern: only in this file or folder"),
  ).action(async (words: string | undefined, flags: FindFlags) => {
    if (flags.issue === undefined) refuseFolder("find", words);
    const query = readStatement(flags.issue, words);
    if (query.trim() === "")
      throw new MillwrightError("usage", "The text to find is missing", {
        hint: "Give a text, or a file with --issue FILE.",
      });
    await withGraph(flags, async (session) => {
      const { document, lines, count } = await answers[flags.kind](session, query, flags);
      if (session.signal.aborted) return interruptedExitCode;
      if (flags.json) printJson({ schema, kind: flags.kind, index: session.index, ...document });
      else printLines(lines);
      if (count === 0 && !flags.json) process.stderr.write("nothing was found\n");
      return count === 0 ? 11 : 0;
    });
  });
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0) throw new InvalidArgumentError("Give a whole number.");
  return count;
}

interface Answer {
  readonly document: object;
  readonly lines: readonly string[];
  readonly count: number;
}

type AnswerOf = (session: GraphSession, query: string, flags: FindFlags) => Answer | Promise<Answer>;

const answers: Readonly<Record<Kind, AnswerOf>> = {
  place: findPlacesFor,
  file: answerFiles,
  test: answerTests,
  document: answerPassages,
  text: answerLines,
  pattern: answerLines,
};

function searcherOf({ graph, repository }: GraphSession): OpenSearcher {
  return openSearcher({ graph, repository });
}

function answerFiles({ graph }: GraphSession, query: string, { limit }: FindFlags): Answer {
  const paths = graph.files().map(({ path }) => path);
  const files = findFilesByName(paths, query, limit);
  return { document: { files }, lines: files.map(({ path }) => path), count: files.length };
}

function answerTests(session: GraphSession, query: string, flags: FindFlags): Answer {
  const { tests, through, importing } = findTestsOf(
    searcherOf(session),
    session.graph,
    placeOf(session, query),
    flags.limit,
  );
  const told = (said: string) => (test: PlacedTest) => {
    const names = test.names.slice(0, mostNames).join(", ");
    return {
      ...test,
      why: [names === "" ? "its path is similar to the path of the file" : `${said} ${names}`],
      shown: undefined,
    };
  };
  const own = tests.map(told("says"));
  const ofCallers = through.map(told("its callers:"));
  const lines = [
    ...[...own, ...ofCallers].map(placeLines),
    ...importing.slice(0, flags.limit).map((path) => `  ${path}  imports it`),
  ];
  return { document: { tests: own, through: ofCallers, importing }, lines, count: lines.length };
}

const mostNames = 5;

/** Resolves `FILE`, `FILE:LINE`, or a name to a place. */
function placeOf({ graph }: GraphSession, query: string): { path: string; line?: number } {
  const [, path = query, line] = /^(.+?)(?::(\d+))?$/.exec(query.trim()) ?? [];
  if (graph.file(path) !== undefined) return line === undefined ? { path } : { path, line: Number(line) };
  const [entity] = findMeant(graph, query.trim());
  if (entity !== undefined) return { path: entity.path, line: entity.at.line };
  throw new MillwrightError("usage", `${query} names neither a file nor a definition of the repository`, {
    hint: "Give FILE, FILE:LINE or the name of a definition.",
  });
}

function answerPassages(session: GraphSession, query: string, flags: FindFlags): Answer {
  const searcher = searcherOf(session);
  const { index } = searcher;
  let left = flags.budget;
  const passages = findPassages(searcher, query, flags.limit).map(({ piece, score }) => {
    const { kind, qualified, startLine, endLine } = index.piece(piece);
    const path = pathOfPiece(index, piece);
    const text = (searcher.linesOf(path) ?? []).slice(startLine - 1, endLine).join("\n");
    const fits = Math.ceil(text.length / 4) <= left;
    if (fits) left -= Math.ceil(text.length / 4);
    const shown = fits && text !== "" ? { startLine, endLine, text } : undefined;
    return { path, kind, qualified, startLine, endLine, signature: "", score, why: [], shown };
  });
  return { document: { passages }, lines: passages.map(placeLines), count: passages.length };
}

function answerLines({ graph, repository }: GraphSession, query: string, flags: FindFlags): Answer {
  const result = grep({
    repository,
    paths: searchedPaths(graph, flags.in),
    pattern: query,
    isRegex: flags.kind === "pattern",
    limit: flags.limit,
  });
  const lines = result.lines.map(formatLine);
  if (result.stopped !== undefined)
    lines.push(`(stopped by the ${result.stopped === "limit" ? "limit; --limit raises it" : "time limit"})`);
  return { document: result, lines, count: result.lines.length };
}
