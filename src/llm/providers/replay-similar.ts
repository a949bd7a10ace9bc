import { defineModelProvider } from "../provider.ts";
import { openReplay } from "./replay.ts";

export default defineModelProvider({
  name: "replay-similar",
  description:
    "like replay, but a request that was not recorded gets the answer to the most similar recorded request",
  form: "path",
  isRecording: true,
  example: "replay-similar:RUN/calls",
  keys: [],
  needsKey: false,
  addresses: [],
  address: "",
  listed: () => undefined,
  open: (options) => openReplay(options, { similar: true }),
});
