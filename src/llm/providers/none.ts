import { fail } from "../../base/result.ts";
import { defineModelProvider } from "../provider.ts";

const noModel = fail("bad-request", "no model is configured: give --model PROVIDER/ID");

export default defineModelProvider({
  name: "none",
  description: "no model, for strategies that need none",
  form: "none",
  example: "none",
  keys: [],
  needsKey: false,
  addresses: [],
  address: "",
  listed: () => undefined,
  open: async () => ({ remote: false, generate: async () => noModel }),
});
