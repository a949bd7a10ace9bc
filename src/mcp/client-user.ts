/**
 * Asks the person behind an MCP client by elicitation, if the client can show a form. The tool's handler returns the
 * question, and runs again once the client sends the answer. With the older protocol, the SDK asks the client and runs
 * the handler again.
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
  /**
   * Asks the person; absent if the client cannot ask. Until the answer arrives, throws an error that `waiting`
   * recognises. Resolves to undefined if the person gave no answer.
   */
  readonly ask: ((question: UserQuestion) => Promise<string | undefined>) | undefined;
  /**
   * Returns the request to the client if the error means that an action waits for the client's answer; otherwise
   * undefined.
   */
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

/** Returns the client's capabilities: from the request in the newer protocol, from the connection in the older one. */
function capabilitiesOf(
  { server }: McpServer,
  { envelope }: ServerContext["mcpReq"],
): ClientCapabilities | undefined {
  const sent = fieldOf(envelope, CLIENT_CAPABILITIES_META_KEY);
  return (sent as ClientCapabilities | undefined) ?? server.getClientCapabilities();
}

/** True if the client can show forms. An older client, without modes, reports only that it can ask. */
function canShowForms(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
