/**
 * Millwright as an MCP server: its tools are the records of `src/tools/`, and of `src/actions/` if the user wants them.
 */
import { McpServer } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Effect } from "../agent/action.ts";
import { MillwrightError } from "../base/errors.ts";
import { describeMissing } from "../graph/describe-missing.ts";
import type { CodeContext, CodeTool } from "../tools/contract.ts";
import { type ClientUser, userBehind } from "./client-user.ts";

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
}

export interface ServerOptions {
  /**
   * True to add data to answers. Some clients pass the data to their model, instead of the text or in addition. This
   * costs several times the tokens. Default false.
   */
  readonly structured?: boolean;
  /** The agent's actions to serve. They take long, and most call a model. Default none. */
  readonly actions?: readonly ServerAction[];
}

/** An action of the agent, as a tool for a client. */
export interface ServerAction {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly effect: Effect;
  /**
   * Runs the action. `input` has passed the schema. `ask` asks the client's user. Throws MillwrightError for invalid
   * requests.
   */
  readonly run: (input: Record<string, unknown>, ask: ClientUser["ask"]) => Promise<ServerAnswer>;
}

interface ServerAnswer {
  readonly isError?: boolean;
  readonly text: string;
  readonly data?: Record<string, unknown>;
}

/** Instructions for clients, in addition to the tools' own descriptions. */
const instructions =
  "These tools answer questions about one repository. Begin with `find` for an issue's text or a vague request, `symbol` for a name, `map` for an overview. Read `outline` before whole files. Paths are relative to the repository; lines count from 1. An answer that begins with an error says what to do.";

export function createMcpServer(
  identity: ServerIdentity,
  tools: readonly CodeTool[],
  context: CodeContext,
  { structured = false, actions = [] }: ServerOptions = {},
): McpServer {
  const server = new McpServer({ ...identity }, { instructions, capabilities: { tools: {} } });
  for (const tool of tools) register(server, tool, context, structured);
  for (const action of actions) registerAction(server, action, structured);
  return server;
}

function register(server: McpServer, tool: CodeTool, context: CodeContext, structured: boolean): void {
  const { name, title, description, input: inputSchema, effect } = tool;
  const annotations = {
    readOnlyHint: effect === "reads",
    destructiveHint: effect === "writes",
    openWorldHint: false,
  };
  server.registerTool(name, { title, description, inputSchema, annotations }, async (input, { mcpReq }) => {
    const asked = { ...context, signal: mcpReq.signal };
    return contentOf(await caught(() => answer(tool, asked, input)), structured);
  });
}

/**
 * Registers an action. Actions do not change the user's repository: their changes are candidates in a copy. Annotations
 * mark actions that execute the repository's code.
 */
function registerAction(server: McpServer, action: ServerAction, structured: boolean): void {
  const { name, description, input: inputSchema, effect, run } = action;
  const readOnlyHint = effect === "reads" || effect === "decides";
  const annotations = { readOnlyHint, destructiveHint: false, openWorldHint: true };
  server.registerTool(name, { description, inputSchema, annotations }, async (input, context) => {
    const user = userBehind(server, context);
    try {
      return contentOf(await caught(() => run(input, user.ask)), structured);
    } catch (error) {
      const waiting = user.waiting(error);
      if (waiting === undefined) throw error;
      return waiting;
    }
  });
}

function contentOf({ data, ...answered }: ServerAnswer, structured: boolean) {
  const document = structured && data !== undefined ? { structuredContent: data } : {};
  return { ...answered, ...document, content: [{ type: "text" as const, text: answered.text }] };
}

async function answer(
  tool: CodeTool,
  context: CodeContext,
  input: Record<string, unknown>,
): Promise<ServerAnswer> {
  let missing: string | undefined;
  const graph = async () => {
    const opened = await context.graph();
    missing = describeMissing(opened.completeness());
    return opened;
  };
  const result = await tool.run({ ...context, graph }, input);
  const note = missing === undefined || tool.effect !== "reads" ? "" : `\n(${missing})`;
  if (!result.ok) return { isError: true, text: `${result.kind}: ${result.message}${note}` };
  return { text: `${result.value.text}${note}`, data: { ...result.value.data } };
}

/**
 * Turns a failure into a normal answer. The client's model can react to an answer, while a protocol error only stops
 * it.
 */
async function caught(run: () => Promise<ServerAnswer>): Promise<ServerAnswer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MillwrightError)) throw error;
    const hint = error.hint === undefined ? "" : `\n${error.hint}`;
    return { isError: true, text: `${error.code}: ${error.message}${hint}` };
  }
}
