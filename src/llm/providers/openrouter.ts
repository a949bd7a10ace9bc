import { findListed, type ListedModel, type PriceTable } from "../price.ts";
import anthropic from "../prices/anthropic.ts";
import google from "../prices/google.ts";
import openai from "../prices/openai.ts";
import { defineModelProvider } from "../provider.ts";
import { prefixEnds } from "../sdk/cache-breakpoints.ts";
import { openChatCompletions } from "../sdk/chat-completions.ts";

const tables: Readonly<Record<string, PriceTable>> = { anthropic, google, openai };

export default defineModelProvider({
  name: "openrouter",
  description: "models of many makers with one key; OpenRouter reports the cost of each call",
  form: "id",
  example: "openrouter/anthropic/claude-sonnet-5.5",
  keys: ["OPENROUTER_API_KEY"],
  needsKey: true,
  addresses: ["OPENROUTER_BASE_URL"],
  address: "https://openrouter.ai/api/v1",
  listed,
  open: (options) =>
    openChatCompletions({
      ...options,
      name: "openrouter",
      transformBody: (body) => ({
        ...body,
        usage: { include: true },
        ...(options.id.startsWith("anthropic/") ? { messages: markMessages(body["messages"]) } : {}),
      }),
    }),
});

/** Returns the maker's own price, which budgets use for estimates. OpenRouter itself reports the counted cost. */
function listed(id: string): ListedModel | undefined {
  const [maker = "", model = ""] = id.split("/");
  const table = Object.hasOwn(tables, maker) ? tables[maker] : undefined;
  const [name = ""] = model.split(":");
  return table === undefined
    ? undefined
    : findListed(table, maker === "anthropic" ? name.replaceAll(".", "-") : name);
}

interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
}

/** Adds cache marks for Claude, which caches up to marks. Marks belong to parts of a message's content. */
function markMessages(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  const list = messages as ChatMessage[];
  const ends = prefixEnds(list);
  return list.map((message, at) =>
    ends.has(at) && typeof message.content === "string"
      ? {
          ...message,
          content: [{ type: "text", text: message.content, cache_control: { type: "ephemeral" } }],
        }
      : message,
  );
}
