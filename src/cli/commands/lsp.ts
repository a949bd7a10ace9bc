import { relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { MillwrightError } from "../../base/errors.ts";
import type { LspResult } from "../../lsp/ask-at.ts";
import type { RoughPosition } from "../../lsp/identifiers.ts";
import type { AskOptions, LanguageServers } from "../../lsp/language-servers.ts";
import { listenForInterrupts } from "../interrupt.ts";
import { withLanguageServers } from "../language-server-session.ts";
import { type LspDocument, type QuestionName, renderLspAnswer } from "../lsp-text.ts";
import { addSettingFlags } from "../setting-flags.ts";
import { loadSettings } from "../settings.ts";
import { findRepository } from "../task-arguments.ts";

interface LspFlags {
  readonly repo: string;
  readonly ask: QuestionName;
  readonly limit?: string;
  readonly json?: boolean;
  readonly [setting: string]: unknown;
}

type PlaceInFile = RoughPosition & { readonly path: string };

type Ask = (servers: LanguageServers, at: PlaceInFile, options: AskOptions) => Promise<LspResult<unknown>>;

const questions: Record<QuestionName, Ask> = {
  definition: (servers, at, options) => servers.definition(at, options),
  references: (servers, at, options) => servers.references(at, options),
  hover: (servers, at, options) => servers.hover(at, options),
  symbols: (servers, at, options) => servers.symbols(at.path, options),
  diagnostics: (servers, at, options) => servers.diagnose([{ path: at.path }], options),
  callers: (servers, at, options) => servers.callers(at, options),
  callees: (servers, at, options) => servers.callees(at, options),
  types: (servers, at, options) => servers.types(at, options),
};

const schema = "millwright.lsp/1";
const noAnswerExitCode = 1;
const interruptedExitCode = 130;

const exitCodes = `
A position need not be exact: without NAME an identifier of the line is taken, or one close to it, and the answer says which.
Servers run in the sandbox; \`millwright doctor\` tells which are there and how to get the others.

Exit codes: 0 answered   ${noAnswerExitCode} no server for such files, or it has no answer
  2 wrong usage or configuration   3 infrastructure (sandbox, disk)   130 interrupted`;

/** Settings of `solve` that mean nothing where nothing is solved. */
const notHere = ["strategy", "model", "maxCost", "maxSteps", "maxTime", "parallel", "testCommand"] as const;

export function addLspCommand(program: Command): void {
  const command = program
    .command("lsp")
    .description("ask a language server about a place in the code")
    .argument(
      "<place>",
      "FILE, FILE:LINE or FILE:LINE:NAME; the file from the repository's root or from here",
    )
    .addOption(
      new Option("--ask <question>", "what is asked").choices(Object.keys(questions)).default("definition"),
    )
    .option("--repo <dir>", "the repository; it is never written", ".")
    .option(
      "--limit <seconds>",
      "how long the server may take for an answer, once it is ready; default 30, jdtls 120",
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", exitCodes);
  addSettingFlags(command, notHere);
  command.action(async (place: string, flags: LspFlags) => {
    process.exitCode = await askServer(place, flags);
  });
}

async function askServer(place: string, flags: LspFlags): Promise<number> {
  const { repo, ask, limit, json, ...given } = flags;
  const repository = findRepository(repo);
  const at = readPlace(place, repository);
  const limited = limit === undefined ? {} : { limitMs: readSeconds(limit) * 1000 };
  const { settings, warnings } = loadSettings({ repository, environment: process.env, flags: given });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const interrupts = listenForInterrupts();
  const { signal } = interrupts;
  try {
    const started = performance.now();
    const answer = await withLanguageServers({ repository, settings, signal }, ({ servers, sandbox }) =>
      questions[ask](servers, at, { ...limited, signal }).then((found) => describe(found, ask, at, sandbox)),
    );
    const document = { ...answer, seconds: Math.round(performance.now() - started) / 1000 };
    process.stdout.write(json ? `${JSON.stringify(document, null, 2)}\n` : renderLspAnswer(document));
    return answer.ok ? 0 : noAnswerExitCode;
  } catch (error) {
    if (!signal.aborted) throw error;
    process.stderr.write("stopped\n");
    return interruptedExitCode;
  } finally {
    interrupts.stop();
  }
}

function describe(
  found: LspResult<unknown>,
  question: QuestionName,
  at: PlaceInFile,
  sandbox: string,
): LspDocument {
  const asked = { schema, question, at, sandbox } as const;
  if (!found.ok) return { ...asked, ok: false, kind: found.kind, message: found.message };
  const { value: answer, by, position, isWhole, caution } = found.value;
  const optional = {
    ...(position === undefined ? {} : { position }),
    ...(caution === undefined ? {} : { caution }),
  };
  return { ...asked, ok: true, by, ...optional, isWhole, answer };
}

/** The file is looked for from the repository's root, and from here where it is given by another way into it. */
function readPlace(place: string, repository: string): PlaceInFile {
  const [, file = "", line, name] = /^(.+?)(?::(\d+)(?::(.+))?)?$/.exec(place) ?? [];
  const isElsewhere = file.startsWith("/") || file.startsWith("../");
  const path = isElsewhere ? relative(repository, resolve(file)) : relative(".", file);
  if (path === "" || path.startsWith("..")) {
    throw new MillwrightError("usage", `${file} is no file of ${repository}`, {
      hint: "Give the file's path from the repository's root: src/main.py:12:total.",
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
  throw new MillwrightError("usage", `--limit takes a number of seconds, not ${text}`);
}
