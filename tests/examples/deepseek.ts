import { defineModelProvider } from "../../src/llm/provider.ts";
import { openChatCompletions } from "../../src/llm/sdk/chat-completions.ts";

export default defineModelProvider({
  name: "deepseek",
  description: "DeepSeek's own API",
  form: "id",
  example: "deepseek/deepseek-chat",
  keys: ["DEEPSEEK_API_KEY"],
  needsKey: true,
  addresses: ["DEEPSEEK_BASE_URL"],
  address: "https://api.deepseek.com/v1",
  listed: () => undefined,
  open: (options) => openChatCompletions({ ...options, name: "deepseek" }),
});
