/**
 * Opens the machine's language servers in a run. They start at the first question, in the view's own sandbox, and close
 * with the view. Each answer is a step of the run, whose key contains the tree and the question. A resumed run
 * therefore gets the recorded answers, whether a server starts or not.
 */
import { z } from "zod";
import { fieldOf } from "../../base/fields.ts";
import { hashData } from "../../base/hash.ts";
import { mapStrings } from "../../base/map-strings.ts";
import type { LspResult } from "../../lsp/ask-at.ts";
import { lspFailure } from "../../lsp/failures.ts";
import type { LanguageServers } from "../../lsp/language-servers.ts";
import { withoutRemedy } from "../../lsp/server-pool.ts";
import type { FileOnDisk } from "../../lsp/server-session.ts";
import { absentServers } from "../../lsp/with-fallback.ts";
import type { Checkout } from "../../workspace/contract.ts";
import type { StrategyContext } from "../strategy.ts";

export interface RunServers {
  readonly asked: LanguageServers;
  /** Tells the servers that a checkout has another tree. Callers call it after each such change. */
  laid(before: string, after: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Time limit for an answer in ms, including the server's start and first indexing. After it, the code graph answers.
 */
const patienceMs = 45_000;
/** Time limit in ms for an edit's diagnostics. If there is no answer, the edit stays, and the reply says so. */
const diagnosisMs = 25_000;
/** Number of late answers after which the run stops asking a server. */
const mostLate = 3;

export function openRunServers(
  { recorder, workspace, code }: Pick<StrategyContext, "recorder" | "workspace" | "code">,
  checkout: Checkout,
  tree: () => string,
): RunServers {
  const open = code?.openServers;
  if (open === undefined)
    return {
      asked: absentServers("Language servers are off in this run."),
      laid: async () => {},
      close: async () => {},
    };
  let opened: LanguageServers | undefined;
  let late = 0;
  const answerOf = async <T>(
    question: string,
    execute: () => Promise<LspResult<T>>,
  ): Promise<LspResult<T>> => {
    if (late >= mostLate)
      return lspFailure(
        "timed-out",
        "the language server was too slow several times, so the run stopped asking it",
      );
    const answer = await within(execute, question === "diagnose" ? diagnosisMs : patienceMs);
    if (answer === undefined) {
      late += 1;
      return lspFailure("timed-out", "the language server did not answer in time");
    }
    return answer.ok ? answer : { ...answer, message: withoutRemedy(answer.message) };
  };
  const servers = (): LanguageServers => {
    opened ??= open(checkout);
    return opened;
  };
  return {
    asked: recordAnswers(servers, (question, about, execute) =>
      recorder.step(
        {
          key: `server:${tree()}:${question}:${hashData(about)}`,
          title: `ask the language server: ${question}`,
          schema: z.custom<Awaited<ReturnType<typeof execute>>>(
            (kept) => typeof fieldOf(kept, "ok") === "boolean",
          ),
          large: true,
          decides: "clock",
        },
        async () => mapStrings(await answerOf(question, execute), checkout.names.show),
      ),
    ),
    async laid(before, after) {
      if (opened === undefined) return;
      const [old, now] = await Promise.all([before, after].map((each) => workspace.trees.list(each)));
      await opened.filesChanged(changesBetween(old ?? [], now ?? []));
    },
    close: async () => opened?.close(),
  };
}

type Step = <T>(
  question: string,
  about: readonly unknown[],
  execute: () => Promise<LspResult<T>>,
) => Promise<LspResult<T>>;

/** Records the servers' answers as steps. Time limits and signals do not belong to a question's key. */
function recordAnswers(servers: () => LanguageServers, step: Step): LanguageServers {
  const recorded =
    <Given extends readonly unknown[], T>(
      question: string,
      ask: (...given: Given) => Promise<LspResult<T>>,
    ): ((...given: Given) => Promise<LspResult<T>>) =>
    (...given) =>
      step(
        question,
        given.filter((each) => !isOptions(each)),
        () => ask(...given),
      );
  return {
    definition: recorded("definition", (...given) => servers().definition(...given)),
    references: recorded("references", (...given) => servers().references(...given)),
    hover: recorded("hover", (...given) => servers().hover(...given)),
    callers: recorded("callers", (...given) => servers().callers(...given)),
    callees: recorded("callees", (...given) => servers().callees(...given)),
    types: recorded("types", (...given) => servers().types(...given)),
    rename: recorded("rename", (...given) => servers().rename(...given)),
    symbols: recorded("symbols", (...given) => servers().symbols(...given)),
    workspaceSymbols: recorded("workspaceSymbols", (...given) => servers().workspaceSymbols(...given)),
    diagnose: recorded("diagnose", (...given) => servers().diagnose(...given)),
    filesChanged: (changes) => servers().filesChanged(changes),
    close: async () => {},
  };
}

function isOptions(value: unknown): boolean {
  return value !== null && typeof value === "object" && ("signal" in value || "limitMs" in value);
}

/**
 * Returns undefined if the answer takes too long. The server continues in the background, and may answer later
 * questions.
 */
async function within<T>(execute: () => Promise<T>, limitMs: number): Promise<T | undefined> {
  const over = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => over.resolve(undefined), limitMs);
  try {
    return await Promise.race([execute(), over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function changesBetween(
  before: readonly { readonly path: string; readonly blob: string }[],
  after: readonly { readonly path: string; readonly blob: string }[],
): FileOnDisk[] {
  const old = new Map(before.map(({ path, blob }) => [path, blob]));
  const now = new Map(after.map(({ path, blob }) => [path, blob]));
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((path): FileOnDisk[] => {
    if (old.get(path) === now.get(path)) return [];
    return [{ path, change: !old.has(path) ? "created" : !now.has(path) ? "deleted" : "changed" }];
  });
}
