import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import type { CodeDiagnostic } from "../domain/code-intelligence.ts";
import { defineCodeTool } from "./contract.ts";
import { relativePath } from "./indexed-file.ts";

export default defineCodeTool({
  name: "diagnostics",
  title: "Problems in a file",
  description:
    "Lists the language server's errors and warnings for a file, with their lines. To find an edit's new errors, ask before and after the edit.",
  input: z.object({
    path: z.string().min(1).describe("relative to the repository"),
    severity: z.enum(["error", "warning", "all"]).default("warning").describe("the lowest severity to list"),
  }),
  effect: "reads",
  async run(context, { path: written, severity }) {
    const path = relativePath(context.repository, written);
    const text = await context.files.read(path);
    if (!text.ok) return text;
    if (text.value === undefined) return fail("no-file", `There is no file ${path}.`);
    const servers = await context.servers();
    const asked = await servers.diagnose([{ path, text: text.value }], { signal: context.signal });
    if (!asked.ok) return fail("no-server", asked.message);
    const found = asked.value.value.filter((each) => isListed(each, severity));
    const lines = found.map(({ range, severity: how, message, code }) => {
      return `${path}:${range.start.line}  ${how}${code === undefined ? "" : ` ${code}`}: ${message}`;
    });
    return succeed({
      data: { path, by: asked.value.by, diagnostics: found },
      text: [...lines, found.length === 0 ? `no problem (${asked.value.by})` : `(${asked.value.by})`].join(
        "\n",
      ),
    });
  },
});

function isListed({ severity }: CodeDiagnostic, least: "error" | "warning" | "all"): boolean {
  if (least === "all") return true;
  return severity === "error" || (least === "warning" && severity === "warning");
}
