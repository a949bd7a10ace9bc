import { randomBytes } from "node:crypto";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Command, InvalidArgumentError } from "commander";
import { createMcpServer } from "../../mcp/create-server.ts";
import { type HttpService, serveHttp } from "../../mcp/serve-http.ts";
import { type ServedActions, serveActions } from "../../mcp/served-actions.ts";
import type { ActionDeskOptions } from "../../session/action-desk.ts";
import { openCodeContext } from "../../session/code-context.ts";
import { openEditFolder } from "../../session/edit-folder.ts";
import { findRepository } from "../../session/repository.ts";
import { runsDirectoryOf, type Settings } from "../../session/settings.ts";
import { version } from "../../session/version.ts";
import { codeTools } from "../../tools/index.generated.ts";
import { hostOf } from "../host.ts";
import { listenForInterrupts } from "../interrupt.ts";
import { readSettings } from "../load-settings.ts";
import { addSettingFlags } from "../setting-flags.ts";

interface McpFlags {
  readonly repo: string;
  readonly http?: number;
  readonly origin: readonly string[];
  /** False with --no-token. */
  readonly token: boolean;
  readonly write?: boolean;
  readonly structured?: boolean;
  readonly actions?: boolean;
  readonly record?: string;
  readonly indexDir?: string;
  readonly [setting: string]: unknown;
}

const toolLines = codeTools.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join("\n");

/** Settings of `solve` that have no effect in `mcp`. */
const notHere = ["strategy", "parallel", "samples", "arms"] as const;

export function addMcpCommand(program: Command): void {
  const command = program
    .command("mcp")
    .description("answer other agents' questions about a repository over the Model Context Protocol (MCP)")
    .option("--repo <dir>", "the repository", ".")
    .option("--http <port>", "serve streamable HTTP on 127.0.0.1, instead of stdio", readPort)
    .option(
      "--origin <url>",
      "with --http: an origin whose web pages may connect, such as http://localhost:5173; repeatable",
      collect,
      [],
    )
    .option("--no-token", "with --http: require no token; every program on this machine can then connect")
    .option("--write", "let clients change files of the repository with the tool `edit`")
    .option(
      "--structured",
      "add structured data to the text of answers, for programs; models then need several times as many tokens",
    )
    .option(
      "--actions",
      "also offer the agent's actions (`millwright act --list`); actions run tests, and most ask the model given with --model",
    )
    .option(
      "--record <dir>",
      "with --actions: record the calls of models in this folder, and reuse the answers recorded there",
    )
    .option("--index-dir <dir>", "the folder of all indexes; default: under the user's cache directory")
    .addHelpText("after", `\nTools:\n${toolLines}`);
  addSettingFlags(command, notHere);
  command.action(serve);
}

async function serve(flags: McpFlags): Promise<void> {
  const {
    repo,
    http,
    origin: origins,
    token: asksToken,
    write,
    structured = false,
    actions,
    record,
    indexDir,
    ...given
  } = flags;
  const repository = findRepository(repo);
  const settings = readSettings(repository, given);
  const host = hostOf();
  const interrupts = listenForInterrupts();
  const directory = await openEditFolder(repository, runsDirectoryOf(settings, host.environment));
  const canWrite = write === true;
  const options = { host, repository, directory, settings, indexDir, canWrite, signal: interrupts.signal };
  const { context, close } = openCodeContext(options);
  const served =
    actions === true ? serveActions(actionOptions(repository, settings, record, interrupts.signal)) : none;
  const offered = { structured, actions: served.actions };
  const create = () => createMcpServer({ name: "millwright", version }, codeTools, context, offered);
  const over = new Promise<void>((resolve) => {
    interrupts.signal.addEventListener("abort", () => resolve(), { once: true });
    if (http === undefined) process.stdin.once("close", () => resolve()).once("end", () => resolve());
  });
  const service =
    http === undefined ? serveStdio(create) : await openHttp(create, { port: http, asksToken, origins });
  try {
    await over;
  } finally {
    await service.close();
    await served.close();
    await close();
    interrupts.stop();
  }
}

interface HttpFlags {
  readonly port: number;
  readonly asksToken: boolean;
  readonly origins: readonly string[];
}

/** Prints the address, and the token unless the user gave it. */
async function openHttp(
  create: () => McpServer,
  { port, asksToken, origins }: HttpFlags,
): Promise<HttpService> {
  const given = process.env["MILLWRIGHT_MCP_TOKEN"] || undefined;
  const token = asksToken ? (given ?? randomBytes(24).toString("base64url")) : undefined;
  const service = await serveHttp(create, { port, token, origins });
  const shown = given === undefined ? token : "the value of MILLWRIGHT_MCP_TOKEN";
  process.stderr.write(`${service.url}\n${token === undefined ? "" : `Authorization: Bearer ${shown}\n`}`);
  return service;
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

const none: ServedActions = { actions: [], close: async () => {} };

function actionOptions(
  repository: string,
  settings: Settings,
  recording: string | undefined,
  signal: AbortSignal,
): ActionDeskOptions {
  return { host: hostOf(), repository, settings, recording, signal, onEvent() {} };
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port;
  throw new InvalidArgumentError("Give a port, or 0 for any free port.");
}
