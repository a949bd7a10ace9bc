/**
 * The person behind an MCP client: asked by elicitation, where the client can show a form. The handler returns what it has to know, and
 * is entered again with the answer; the SDK does the same over connections of the older protocol.
 */

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { fieldOf } from "../base/fields.ts";
import type { UserQuestion } from "../domain/user-question.ts";

export interface ClientUser {
  /** Absent where the client cannot ask. Throws what `waiting` knows until there is an answer; undefined: they would not say. */
  readonly ask: ((question: UserQuestion) => Promise<string | undefined>) | undefined;
  /** What the client is to ask, where the error says that an action waits for it. */
  readonly waiting: (error: unknown) => InputRequiredResult | undefined;
}

const key = "answer";
const longestAnswer = 1_000;

export function userBehind(server: McpServer, { mcpReq }: ServerContext): ClientUser {
  if (!canShowForms(capabilitiesOf(server, mcpReq))) return { ask: undefined, waiting: () => undefined };
  let asked: { readonly question: UserQuestion; readonly error: Error } | undefined;
  return {
    async ask(question) {
      const said = inputResponse(mcpReq.inputResponses, key);
      if (said.kind === "missing") {
        asked = { question, error: new Error("the user is asked") };
        throw asked.error;
      }
      const answer = said.kind === "elicit" && said.action === "accept" ? said.content?.[key] : undefined;
      return typeof answer === "string" ? answer.trim().slice(0, longestAnswer) || undefined : undefined;
    },
    waiting: (error) =>
      asked === undefined || asked.error !== error
        ? undefined
        : inputRequired({ inputRequests: { [key]: formOf(asked.question) } }),
  };
}

function formOf({ question, choices }: UserQuestion) {
  return inputRequired.elicit({
    message: question,
    requestedSchema: {
      type: "object",
      properties: { [key]: { type: "string", title: "Answer", enum: [...choices] } },
      required: [key],
    },
  });
}

/** Of the request in the newer protocol, of the connection in the older. */
function capabilitiesOf(
  { server }: McpServer,
  { envelope }: ServerContext["mcpReq"],
): ClientCapabilities | undefined {
  const sent = fieldOf(envelope, CLIENT_CAPABILITIES_META_KEY);
  return (sent as ClientCapabilities | undefined) ?? server.getClientCapabilities();
}

/** A client of before there were modes says no more than that it can. */
function canShowForms(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
