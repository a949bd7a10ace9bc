import { freeOfCharge } from "../price.ts";
import { defineModelProvider } from "../provider.ts";
import { openChatCompletions } from "../sdk/chat-completions.ts";

export default defineModelProvider({
  name: "ollama",
  description: "models on your own machine, through Ollama",
  form: "id",
  example: "ollama/qwen3-coder",
  keys: ["OLLAMA_API_KEY"],
  needsKey: false,
  addresses: ["OLLAMA_HOST"],
  address: "http://127.0.0.1:11434",
  listed: () => freeOfCharge,
  open: (options) =>
    openChatCompletions({ ...options, name: "ollama", address: `${addressOf(options.address)}/v1` }),
});

/** Reads OLLAMA_HOST as Ollama does. Scheme and port are optional, and "all interfaces" means this machine. */
export function addressOf(host: string): string {
  const url = new URL(/^https?:\/\//.test(host) ? host : `http://${host}`);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.port === "" && !/^https?:\/\//.test(host)) url.port = "11434";
  return url.href.replace(/\/+(v1\/*)?$/, "");
}
