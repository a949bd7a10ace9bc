import { type Command, InvalidArgumentError, Option } from "commander";
import type { EdgeKind } from "../../graph/contract.ts";
import { withFallback } from "../../lsp/with-fallback.ts";
import { createLazyServers } from "../../session/lazy-servers.ts";
import { graphAnswers } from "../../tools/graph-answers.ts";
import references, { useKinds } from "../../tools/references.ts";
import { addGraphFlags, type GraphFlags } from "../graph-flags.ts";
import { type GraphSession, withGraph } from "../graph-session.ts";
import { hostOf } from "../host.ts";
import { readSettings } from "../load-settings.ts";
import { answerTool } from "../tool-session.ts";

const serverUses = ["never", "when-unsure", "always"] as const;

interface ReferencesFlags extends GraphFlags {
  readonly kind?: EdgeKind[];
  readonly minConfidence: number;
  readonly server: (typeof serverUses)[number];
}

const mostShown = 1000;

export function addReferencesCommand(program: Command): void {
  addGraphFlags(
    program
      .command("references")
      .description("list the uses of a definition, given by name, by an entity's id, or as FILE:LINE:NAME")
      .argument("<what>", "the definition: pick, Cart.pick, shop/cart.py:12:pick, or an entity's id")
      .addOption(
        new Option("--kind <kind...>", "only uses of these kinds; default: all except tests").choices(
          useKinds,
        ),
      )
      .option(
        "--min-confidence <number>",
        "minimum confidence of a listed use, from 0 to 1",
        readConfidence,
        0,
      )
      .addOption(
        new Option(
          "--server <when>",
          "when the language server checks the uses: when-unsure checks uncertain uses only; the server takes seconds to start",
        )
          .choices(serverUses)
          .default("never"),
      ),
  ).action(async (what: string, { json = false, ...flags }: ReferencesFlags) => {
    await withGraph(flags, (session) => show(session, what, flags, json));
  });
}

function readConfidence(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("Give a number from 0 to 1.");
  return value;
}

async function show(
  session: GraphSession,
  what: string,
  { kind, minConfidence, server }: ReferencesFlags,
  json: boolean,
): Promise<number> {
  const { repository, graph, signal } = session;
  const settings = readSettings(repository, {});
  const lazy = createLazyServers({ host: hostOf(), repository, settings, signal });
  const kinds = kind === undefined ? {} : { kinds: kind };
  const input = { ...readPlace(what), ...kinds, minConfidence, server, limit: mostShown };
  try {
    return await answerTool(session, references, input, {
      schema: "millwright.references/1",
      about: { query: what },
      json,
      async servers() {
        const own = await lazy.of(graph.files().map(({ path }) => path));
        return withFallback(
          own,
          graphAnswers(async () => graph),
        );
      },
    });
  } finally {
    await lazy.close();
  }
}

function readPlace(what: string): { name: string; path?: string; line?: number } {
  const [, path, line, name] = /^(.+?):(\d+):([^:]+)$/.exec(what) ?? [];
  if (path === undefined || line === undefined || name === undefined) return { name: what };
  return { path, line: Number(line), name };
}
