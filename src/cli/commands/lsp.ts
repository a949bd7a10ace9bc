import { relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { nameFirst } from "../../base/count.ts";
import { MillwrightError } from "../../base/errors.ts";
import { succeed } from "../../base/result.ts";
import type { CodeFileEdit } from "../../domain/code-intelligence.ts";
import type { OpenGraph } from "../../graph/open-graph.ts";
import type { LspResult } from "../../lsp/ask-at.ts";
import type { RoughPosition } from "../../lsp/identifiers.ts";
import type { AskOptions, LanguageServers } from "../../lsp/language-servers.ts";
import { absentServers, withFallback } from "../../lsp/with-fallback.ts";
import { indexFolder } from "../../session/index-folders.ts";
import { withLanguageServers } from "../../session/language-server-session.ts";
import { createLazyGraph, type LazyGraph } from "../../session/lazy-graph.ts";
import { findRepository } from "../../session/repository.ts";
import { openUserGraph } from "../../session/user-graph.ts";
import { graphAnswers } from "../../tools/graph-answers.ts";
import { hostOf } from "../host.ts";
import { withInterrupts } from "../interrupt.ts";
import { readSettings } from "../load-settings.ts";
import { headOf, type LspDocument, type QuestionName, renderLspAnswer, tellAnswer } from "../lsp-text.ts";
import { describeRename } from "../rename-answer.ts";
import { addSettingFlags, solvingOnly } from "../setting-flags.ts";

interface LspFlags {
  readonly repo: string;
  readonly ask: QuestionName;
  readonly limit?: string;
  readonly to?: string;
  readonly query?: string;
  readonly graph: boolean;
  readonly indexDir?: string;
  readonly json?: boolean;
  readonly [setting: string]: unknown;
}

type PlaceInFile = RoughPosition & { readonly path: string };

/** Inputs that some questions have in addition to the place. */
interface Words {
  readonly to: string;
  readonly query: string;
}

type Ask<T> = (
  servers: LanguageServers,
  at: PlaceInFile,
  options: AskOptions,
  words: Words,
) => Promise<LspResult<T>>;

/** An answer of any form, with its rendering. */
interface Told {
  readonly answer: unknown;
  readonly lines: readonly string[];
  /** The edits of a rename. */
  readonly edits: readonly CodeFileEdit[];
}

function asking<T>(
  ask: Ask<T>,
  linesOf: (answer: T) => readonly string[],
  editsOf: (answer: T) => readonly CodeFileEdit[] = () => [],
): Ask<Told> {
  return async (...asked) => {
    const found = await ask(...asked);
    if (!found.ok) return found;
    const { value: answer } = found.value;
    return succeed({ ...found.value, value: { answer, lines: linesOf(answer), edits: editsOf(answer) } });
  };
}

const tell = tellAnswer;
const questions: Record<QuestionName, Ask<Told>> = {
  definition: asking((servers, at, options) => servers.definition(at, options), tell.locations),
  references: asking((servers, at, options) => servers.references(at, options), tell.locations),
  hover: asking((servers, at, options) => servers.hover(at, options), tell.text),
  symbols: asking((servers, at, options) => servers.symbols(at.path, options), tell.symbolTree),
  diagnostics: asking(
    (servers, at, options) => servers.diagnose([{ path: at.path }], options),
    tell.diagnostics,
  ),
  callers: asking((servers, at, options) => servers.callers(at, options), tell.calls),
  callees: asking((servers, at, options) => servers.callees(at, options), tell.calls),
  types: asking((servers, at, options) => servers.types(at, options), tell.types),
  rename: asking(
    (servers, at, options, { to }) => servers.rename(at, to, options),
    tell.edits,
    (edits) => edits,
  ),
  "project-symbols": asking(
    (servers, at, options, { query }) => servers.workspaceSymbols(query, at.path, options),
    tell.symbols,
  ),
};

const nothing: Told = { answer: undefined, lines: [], edits: [] };
const schema = "millwright.lsp/1";
const noAnswerExitCode = 1;
/** Maximum number of files named in a message. */
const mostNamed = 8;

const exitCodes = `
Without NAME, the command uses an identifier on or near the line, and names it in the answer.
Without a working server, the code graph answers as far as it can, and the answer says so. The command changes no file of the repository. It prints a rename as a unified diff, for \`git apply\` or \`millwright edit\`.
Servers run in the sandbox. \`millwright doctor\` lists the installed servers, and says how to install others.
Exit codes: 0 answered   ${noAnswerExitCode} no answer
2 wrong usage or configuration   3 infrastructure (sandbox, disk)   130 interrupted`;

export function addLspCommand(program: Command): void {
  const command = program
    .command("lsp")
    .description("ask a language server about a position in the code")
    .argument(
      "<place>",
      "FILE, FILE:LINE, FILE:NAME or FILE:LINE:NAME; the path is absolute, or relative to the repository's root; with ../ at the beginning, it is relative to the current folder",
    )
    .addOption(
      new Option("--ask <question>", "the question").choices(Object.keys(questions)).default("definition"),
    )
    .option("--to <name>", "the new name, for a rename")
    .option("--query <name>", "for project-symbols: the text to search for")
    .option("--repo <dir>", "the repository; Millwright never writes to it", ".")
    .option("--no-graph", "ask only the language server, not the code graph")
    .option("--index-dir <dir>", "the folder of all indexes; default: under the user's cache directory")
    .option("--limit <seconds>", "time limit for an answer, once the server is ready; default 30, jdtls 120")
    .option("--json", "print one JSON document")
    .addHelpText("after", exitCodes);
  addSettingFlags(command, [...solvingOnly, "maxTime", "testCommand", "testTimeout"]);
  command.action(async (place: string, flags: LspFlags) => {
    process.exitCode = await askServer(place, flags);
  });
}

async function askServer(place: string, flags: LspFlags): Promise<number> {
  const { repo, ask, limit, json, to, query, graph: mayUseGraph, indexDir, ...given } = flags;
  const words = readWords(ask, to, query);
  const repository = findRepository(repo);
  const at = readPlace(place, repository);
  const limited = limit === undefined ? {} : { limitMs: readSeconds(limit) * 1000 };
  const settings = readSettings(repository, given);
  const host = hostOf();
  return withInterrupts(async (signal) => {
    const open = (): OpenGraph => openUserGraph(host, repository, indexFolder(host, repository, indexDir));
    const graph = createLazyGraph(open, signal);
    const put = async ({ servers, sandbox }: { servers: LanguageServers; sandbox: string }) => {
      const all = mayUseGraph ? withFallback(servers, graphAnswers(graph.open)) : servers;
      const found = await questions[ask](all, at, { ...limited, signal }, words);
      const told = found.ok ? found.value.value : nothing;
      return { bare: describe(found, ask, at, sandbox), told };
    };
    try {
      const started = performance.now();
      const { bare, told } = await withLanguageServers({ host, repository, settings, signal }, put).catch(
        (error: unknown) => {
          if (
            !mayUseGraph ||
            signal.aborted ||
            !(error instanceof MillwrightError && error.code === "sandbox")
          )
            throw error;
          return put({ servers: absentServers(error.message), sandbox: "none" });
        },
      );
      const answer =
        bare.ok && ask === "rename"
          ? await addRename(bare, told.edits, repository, mayUseGraph ? graph : undefined)
          : bare;
      const document = { ...answer, seconds: Math.round(performance.now() - started) / 1000 };
      process.stdout.write(
        json ? `${JSON.stringify(document, null, 2)}\n` : renderLspAnswer(document, told.lines),
      );
      return answer.ok ? 0 : noAnswerExitCode;
    } finally {
      graph.close();
    }
  });
}

function readWords(ask: QuestionName, to = "", query = ""): Words {
  if (ask === "rename" && to === "")
    throw new MillwrightError("usage", "the new name for the rename is missing", {
      hint: "Give the name with --to.",
    });
  if (ask === "project-symbols" && query === "")
    throw new MillwrightError("usage", "the text for project-symbols is missing", {
      hint: "Give the text with --query.",
    });
  return { to, query };
}

async function addRename(
  document: LspDocument & { readonly ok: true },
  edits: readonly CodeFileEdit[],
  repository: string,
  graph: LazyGraph | undefined,
): Promise<LspDocument> {
  const renamed = await describeRename(edits, document.position, repository, await graph?.open());
  // Standard output contains only the diff.
  process.stderr.write(`${headOf(document)}\n`);
  const { untouched } = renamed;
  if (untouched.length > 0) {
    const some = nameFirst(untouched, mostNamed);
    process.stderr.write(`the code graph knows uses in files that the rename leaves unchanged: ${some}\n`);
  }
  return { ...document, ...renamed };
}

function describe(
  found: LspResult<Told>,
  question: QuestionName,
  at: PlaceInFile,
  sandbox: string,
): LspDocument {
  const asked = { schema, question, at, sandbox } as const;
  if (!found.ok) return { ...asked, ok: false, kind: found.kind, message: found.message };
  const { value, by, position, isWhole, caution, insteadOf } = found.value;
  const optional = {
    ...(position === undefined ? {} : { position }),
    ...(caution === undefined ? {} : { caution }),
    ...(insteadOf === undefined ? {} : { because: insteadOf }),
  };
  return { ...asked, ok: true, by, ...optional, isWhole, answer: value.answer };
}

/**
 * Parses a place. The file's path is relative to the repository's root. A path that begins with `../` is relative to
 * the current folder. The file must be in the repository.
 */
function readPlace(place: string, repository: string): PlaceInFile {
  const [, file = "", line, name] = /^(.+?)(?::(\d+))?(?::([^:].*))?$/.exec(place) ?? [];
  const isElsewhere = file.startsWith("/") || file.startsWith("../");
  const path = isElsewhere ? relative(repository, resolve(file)) : relative(".", file);
  if (path === "" || path.startsWith("..")) {
    throw new MillwrightError("usage", `${file} is not a file of ${repository}`, {
      hint: "Give the file's path relative to the repository's root: src/main.py:12:total.",
    });
  }
  return {
    path,
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(name === undefined ? {} : { name }),
  };
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3600) return seconds;
  throw new MillwrightError("usage", `--limit takes a number of seconds above 0 and up to 3600, not ${text}`);
}
