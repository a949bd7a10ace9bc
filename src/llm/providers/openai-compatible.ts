import { defineModelProvider } from "../provider.ts";
import { openChatCompletions } from "../sdk/chat-completions.ts";

export default defineModelProvider({
  name: "openai-compatible",
  description: "any server with the chat completions API: vLLM, llama.cpp, LM Studio, a gateway …",
  form: "id",
  example: "openai-compatible/qwen3-coder",
  keys: ["OPENAI_COMPATIBLE_API_KEY"],
  needsKey: false,
  addresses: ["OPENAI_COMPATIBLE_BASE_URL"],
  address: undefined,
  listed: () => undefined,
  open: (options) => openChatCompletions({ ...options, name: "openai-compatible" }),
});
