import { Command, CommanderError, Option } from "commander";
import { asDiskError, exitCodeOf, MillwrightError } from "../base/errors.ts";
import { createRedactor, secretsOf } from "../base/redact.ts";
import { guardStream, sanitizeForTerminal } from "../base/terminal-text.ts";
import { version } from "../session/version.ts";
import { commands } from "./command-table.ts";
import { acceptAliases } from "./flag-aliases.ts";
import { hostOf } from "./host.ts";

const usageExitCode = 2;

const exitCodes = `
Exit codes of solve and resume:
  0 verified patch   10 a patch, unverified   11 no patch   12 stopped by a limit, without a verified patch
  2 wrong usage or configuration   3 infrastructure (sandbox, model, disk)   130 interrupted`;

async function createProgram(argv: readonly string[]): Promise<Command> {
  const program = new Command("millwright")
    .description(
      "A software engineering agent that you can measure. Input: a repository and a task. Output: a patch with its evidence.",
    )
    .version(version)
    .addOption(new Option("-v").hideHelp())
    .on("option:v", () => {
      process.stdout.write(`${version}\n`);
      throw new CommanderError(0, "commander.version", version);
    })
    .showHelpAfterError("(--help shows the usage)")
    .addHelpText("after", exitCodes)
    .exitOverride();
  const name = argv[2] ?? "";
  const called = Object.hasOwn(commands, name) ? commands[name] : undefined;
  // The help lists all commands, and an unknown name is compared with all.
  const loads = called === undefined ? Object.values(commands) : [called];
  for (const load of name === "--version" ? [] : loads) (await load())(program);
  for (const command of program.commands) {
    command.exitOverride();
    acceptAliases(command);
  }
  return program;
}

/**
 * Reports each error as a sentence with a remedy, and returns the exit code. Loads the module that knows the user's
 * keys only for errors.
 */
async function report(thrown: unknown): Promise<number> {
  const error = asDiskError(thrown);
  if (error instanceof CommanderError && error.exitCode === 0) return 0; // --help, --version
  const { modelEnvironment } = await import("../session/model-session.ts");
  const exitCode = error instanceof CommanderError ? usageExitCode : exitCodeOf(error);
  const redactor = createRedactor(secretsOf(modelEnvironment(hostOf())));
  if (wantsJson(process.argv)) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof MillwrightError ? error.hint : undefined;
    const document = redactor.data({ schema: "millwright.error/1", message, hint, exitCode });
    process.stdout.write(`${JSON.stringify(document)}\n`);
  }
  if (!(error instanceof CommanderError))
    process.stderr.write(sanitizeForTerminal(redactor.text(explain(error))));
  return exitCode;
}

/** True if a program reads standard output. The program then gets the error as a document, too. */
function wantsJson(argv: readonly string[]): boolean {
  // Arguments after two dashes belong to another program, and a trace's --output is a file.
  const own = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const isAsked = (flag: string): boolean =>
    own.some((word, at) => {
      const value =
        word === flag ? own[at + 1] : word.startsWith(`${flag}=`) ? word.slice(flag.length + 1) : "";
      return value === "json" || value === "stream-json";
    });
  return own.includes("--json") || isAsked("--output") || isAsked("--format");
}

function explain(error: unknown): string {
  if (error instanceof MillwrightError)
    return `millwright: ${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `millwright: this is a defect of Millwright itself; please report it\n${text}\n`;
}

/** Ends the program if the module of error reports does not load. A report of this error would need the same module. */
function endUntold(): never {
  process.stderr.write(
    "millwright: a part of Millwright or of its packages is missing. Install Millwright again.\n",
  );
  process.exit(usageExitCode);
}

for (const stream of [process.stdout, process.stderr]) {
  guardStream(stream);
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error; // `millwright show … | head` is not an error
  });
}

// Nobody waits for an error in a timer or a stream: it ends the program with the same report.
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) => {
    report(error).then((exitCode) => process.exit(exitCode), endUntold);
  });

try {
  await (await createProgram(process.argv)).parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}
