/** Millwright's questions about code as an MCP server: its tools are the records of `src/tools/`, and nothing else. */
import { McpServer } from "@modelcontextprotocol/server";
import { MillwrightError } from "../base/errors.ts";
import type { CodeContext, CodeTool } from "../tools/contract.ts";

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
}

export interface ServerOptions {
  /**
   * Answers are given as data too. Some clients hand that to their model instead of the text, or beside it: several times the
   * tokens. Default false.
   */
  readonly structured?: boolean;
}

/** What a client gets beside the tools' own descriptions. */
const instructions =
  "Questions about one repository. Begin with `find` for an issue's text or a vague wish, `symbol` for a name, `map` for an overview; read `outline` before whole files. Paths are relative to the repository, lines count from 1. An answer that begins with an error says what to do.";

export function createMcpServer(
  identity: ServerIdentity,
  tools: readonly CodeTool[],
  context: CodeContext,
  { structured = false }: ServerOptions = {},
): McpServer {
  const server = new McpServer({ ...identity }, { instructions, capabilities: { tools: {} } });
  for (const tool of tools) register(server, tool, context, structured);
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
    const { data, ...answered } = await answer(tool, { ...context, signal: mcpReq.signal }, input);
    const document = structured && data !== undefined ? { structuredContent: data } : {};
    return { ...answered, ...document, content: [{ type: "text", text: answered.text }] };
  });
}

/** A failure is an answer that says so: the client's model can act on it, while a protocol error only stops it. */
async function answer(tool: CodeTool, context: CodeContext, input: Record<string, unknown>) {
  try {
    const result = await tool.run(context, input);
    if (!result.ok) return { isError: true, text: `${result.kind}: ${result.message}` };
    return { text: result.value.text, data: { ...result.value.data } };
  } catch (error) {
    if (!(error instanceof MillwrightError)) throw error;
    const hint = error.hint === undefined ? "" : `\n${error.hint}`;
    return { isError: true, text: `${error.code}: ${error.message}${hint}` };
  }
}
