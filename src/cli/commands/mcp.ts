import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Command, InvalidArgumentError } from "commander";
import { createMcpServer } from "../../mcp/create-server.ts";
import { serveHttp } from "../../mcp/serve-http.ts";
import { codeTools } from "../../tools/index.generated.ts";
import type { ActionDeskOptions } from "../action-desk.ts";
import { openCodeContext } from "../code-context.ts";
import { openEditFolder } from "../edit-folder.ts";
import { listenForInterrupts } from "../interrupt.ts";
import { type ServedActions, serveActions } from "../served-actions.ts";
import { addSettingFlags } from "../setting-flags.ts";
import { loadSettings, type Settings } from "../settings.ts";
import { findRepository } from "../task-arguments.ts";
import { version } from "../version.ts";

interface McpFlags {
  readonly repo: string;
  readonly http?: number;
  readonly write?: boolean;
  readonly structured?: boolean;
  readonly actions?: boolean;
  readonly record?: string;
  readonly indexDir?: string;
  readonly [setting: string]: unknown;
}

const toolLines = codeTools.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join("\n");

/** Settings of \`solve\` that mean nothing here. */
const notHere = ["strategy", "parallel", "samples", "arms"] as const;

export function addMcpCommand(program: Command): void {
  const command = program
    .command("mcp")
    .description("answer other agents' questions about a repository, over the Model Context Protocol")
    .option("--repo <dir>", "the repository", ".")
    .option(
      "--http <port>",
      "serve streamable HTTP on this machine's own address, instead of stdio",
      readPort,
    )
    .option("--write", "let clients change files of the repository with the tool `edit`")
    .option("--structured", "answer with data beside the text: for programs; models pay for it several times")
    .option(
      "--actions",
      "offer the agent's actions too (`millwright act --list`): they run tests, and most ask the model of --model",
    )
    .option(
      "--record <dir>",
      "with --actions: keep the calls of models there; answers that are there are taken",
    )
    .option("--index-dir <dir>", "the folder of all indexes; default: under the user's cache directory")
    .addHelpText("after", `\nTools:\n${toolLines}`);
  addSettingFlags(command, notHere);
  command.action(serve);
}

async function serve(flags: McpFlags): Promise<void> {
  const { repo, http, write, structured = false, actions, record, indexDir, ...given } = flags;
  const repository = findRepository(repo);
  const { settings, warnings } = loadSettings({ repository, environment: process.env, flags: given });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const interrupts = listenForInterrupts();
  const directory = await openEditFolder(repository, settings);
  const canWrite = write === true;
  const options = { repository, directory, settings, indexDir, canWrite, signal: interrupts.signal };
  const { context, close } = openCodeContext(options);
  const served =
    actions === true ? serveActions(actionOptions(repository, settings, record, interrupts.signal)) : none;
  const offered = { structured, actions: served.actions };
  const create = () => createMcpServer({ name: "millwright", version }, codeTools, context, offered);
  const over = new Promise<void>((resolve) => {
    interrupts.signal.addEventListener("abort", () => resolve(), { once: true });
    if (http === undefined) process.stdin.once("close", () => resolve()).once("end", () => resolve());
  });
  const service = http === undefined ? serveStdio(create) : await serveHttp(create, http);
  try {
    if ("url" in service) process.stderr.write(`${service.url}\n`);
    await over;
  } finally {
    await service.close();
    await served.close();
    await close();
    interrupts.stop();
  }
}

const none: ServedActions = { actions: [], close: async () => {} };

function actionOptions(
  repository: string,
  settings: Settings,
  recording: string | undefined,
  signal: AbortSignal,
): ActionDeskOptions {
  return { repository, settings, recording, signal, onEvent() {} };
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port;
  throw new InvalidArgumentError("a port, or 0 for any that is free");
}
