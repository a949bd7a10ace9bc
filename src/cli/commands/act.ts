import { type Command, Option } from "commander";
import { z } from "zod";
import { actions } from "../../actions/index.generated.ts";
import type { Action } from "../../agent/action.ts";
import type { ActedAlone } from "../../agent/control/act-alone.ts";
import { MillwrightError } from "../../base/errors.ts";
import { readJson } from "../../base/parse-json.ts";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { taskKindSchema } from "../../domain/task.ts";
import { type AskedTask, withActionDesk } from "../../session/action-desk.ts";
import { findRepository } from "../../session/repository.ts";
import { userOf } from "../ask-user.ts";
import { hostOf } from "../host.ts";
import { withInterrupts } from "../interrupt.ts";
import { readSettings } from "../load-settings.ts";
import { colourPatch } from "../output.ts";
import { createProgress } from "../progress.ts";
import { addSettingFlags } from "../setting-flags.ts";
import { failingTestFlag, readStatement, readText } from "../task-arguments.ts";

interface ActFlags {
  readonly repo: string;
  readonly kind: string;
  readonly issue?: string;
  readonly target?: string;
  readonly failingTest?: readonly string[];
  readonly candidate?: readonly string[];
  readonly input?: string;
  readonly record?: string;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly [setting: string]: unknown;
}

const all: readonly Action[] = actions;
/** The exit code of an action that did not succeed. */
const failed = 1;

export function addActCommand(program: Command): void {
  const command = program
    .command("act")
    .description("run one action of the agent alone, on a private copy of the repository, without a strategy")
    .argument("[action]", "the action's name; --list shows all actions")
    .argument("[words]", "the request in words: the action's first input")
    .option("--list", "print the actions and their inputs")
    .option("--repo <dir>", "the repository; Millwright never writes to it", ".")
    .addOption(
      new Option("--kind <kind>", "the kind of task").choices(taskKindSchema.options).default("repair"),
    )
    .option(
      "--issue <file>",
      "a file with the task's statement; default: the words, if they are the action's intent or question",
    )
    .option("--target <file:symbol>", "the code that the task is about, such as src/cart.py:Cart.total")
    .option(...failingTestFlag)
    .option(
      "--candidate <file...>",
      "files of unified diffs: the candidates c1, c2 … (t1, t2 … if the task delivers tests)",
    )
    .option("--input <json>", "the action's input as JSON; adds to the words, or replaces them")
    .option(
      "--record <dir>",
      "record the calls of models in this folder, and reuse the answers recorded there",
    )
    .option("--json", "print one JSON document");
  addSettingFlags(command, ["strategy"]);
  command.action(async (name: string | undefined, words: string | undefined, flags: ActFlags) => {
    process.exitCode = flags.list === true ? list(flags.json === true) : await act(name, words, flags);
  });
}

async function act(name: string | undefined, words: string | undefined, flags: ActFlags): Promise<number> {
  const {
    repo,
    kind,
    issue,
    target,
    failingTest,
    candidate = [],
    input,
    record,
    list: _,
    json,
    ...given
  } = flags;
  const action = all.find((each) => each.name === name);
  if (action === undefined) throw unknownAction(name);
  const repository = findRepository(repo);
  const settings = readSettings(repository, given);
  const task: AskedTask = {
    kind: taskKindSchema.parse(kind),
    statement: statementOf(action, words, issue),
    ...(target === undefined ? {} : { target }),
    ...(failingTest === undefined ? {} : { failingTests: [...failingTest] }),
  };
  const asked = { action, task, input: inputOf(action, words, input), patches: candidate.map(readText) };
  const end = await withInterrupts(async (signal) => {
    const progress = await createProgress(process.stderr);
    try {
      const terminal = { input: process.stdin, output: process.stderr, signal, hold: progress.hold };
      const ask = userOf(terminal, json === true ? "json" : "text");
      const host = hostOf();
      const options = { host, repository, settings, recording: record, ask, onEvent: progress.show, signal };
      return await withActionDesk(options, (desk) => desk.act(asked));
    } finally {
      progress.close();
    }
  });
  print(action, end, json === true);
  return end.isError ? failed : 0;
}

function unknownAction(name: string | undefined): MillwrightError {
  const known = all.map((each) => each.name).join(", ");
  return new MillwrightError("usage", name === undefined ? "Which action?" : `Unknown action: ${name}`, {
    hint: `Known actions: ${known}.`,
  });
}

/**
 * Returns the statement. Without an issue, takes the command's words as the statement, unless they name a candidate.
 */
function statementOf(action: Action, words: string | undefined, issue: string | undefined): string {
  if (issue !== undefined) return readStatement(issue, undefined);
  const first = firstInput(action);
  return first === "intent" || first === "question" ? (words ?? "") : "";
}

/** Returns the first input that is required. */
function firstInput({ input }: Action): string | undefined {
  const document = z.toJSONSchema(input, { io: "input" });
  return (document.required ?? Object.keys(document.properties ?? {}))[0];
}

function inputOf(action: Action, words: string | undefined, json: string | undefined): object {
  const first = firstInput(action);
  const said = words === undefined || first === undefined ? {} : { [first]: words };
  return { ...said, ...(json === undefined ? {} : readInput(json)) };
}

function readInput(text: string): object {
  try {
    return z.record(z.string(), z.unknown()).parse(readJson(text));
  } catch (error) {
    throw new MillwrightError("usage", `--input is not a JSON object: ${String(error)}`, { cause: error });
  }
}

function print({ name }: Action, end: ActedAlone, json: boolean): void {
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ schema: "millwright.act/1", action: name, ...end }, null, 2)}\n`,
    );
    return;
  }
  process.stdout.write(`${sanitizeForTerminal(end.text.trimEnd())}\n`);
  for (const { id, origin, patch } of end.candidates.filter(({ origin: from }) => from !== "given"))
    process.stdout.write(`\n${sanitizeForTerminal(`${id}: ${origin}`)}\n\n${colourPatch(patch)}`);
}

function list(json: boolean): number {
  const rows = all.map(({ name, description, kinds, effect, reads, writes, input }) => ({
    ...{ name, description, kinds, effect, reads, writes },
    input: z.toJSONSchema(input, { io: "input" }),
  }));
  if (json) {
    process.stdout.write(`${JSON.stringify({ schema: "millwright.actions/1", actions: rows }, null, 2)}\n`);
    return 0;
  }
  for (const { name, description, kinds, effect, input } of rows) {
    const required = new Set(input.required ?? []);
    const names = Object.keys(input.properties ?? {}).map((each) =>
      required.has(each) ? each : `[${each}]`,
    );
    const scope = kinds.length === taskKindSchema.options.length ? "every kind" : kinds.join(", ");
    process.stdout.write(`${name} (${names.join(" ")}; ${scope}; ${effect})\n  ${description}\n`);
  }
  return 0;
}
