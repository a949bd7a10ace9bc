import { defineModelProvider } from "../provider.ts";
import { openReplay } from "./replay.ts";

export default defineModelProvider({
  name: "replay-similar",
  description: "as replay, but a request that no recorded one equals gets the answer to the most similar one",
  form: "path",
  example: "replay-similar:RUN/models",
  keys: [],
  needsKey: false,
  addresses: [],
  address: "",
  listed: () => undefined,
  open: (options) => openReplay(options, { similar: true }),
});
