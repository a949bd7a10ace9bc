import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestFailure } from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";
import { type Proposal, proposeRepairs } from "../../repair/propose-repairs.ts";
import { rankProposals } from "../../repair/rank-proposals.ts";
import { weighBySymptoms } from "../../repair/symptoms.ts";

/** Statements that are looked at, and candidates that are kept: more than a run ever validates. */
const mostStatements = 150;
const mostCandidates = 4000;

/** A proposal with the whole text that its file has, and would have. */
export interface PreparedProposal extends Proposal {
  readonly base: string;
  readonly text: string;
}

/** Proposals for the likeliest statements, in the order in which they are to be tried. */
export async function listProposals(
  context: Pick<StrategyContext, "workspace" | "signal">,
  ranked: readonly RankedStatement[],
  failures: readonly TestFailure[],
  regions: TestRegions,
): Promise<PreparedProposal[]> {
  const suspects = ranked.slice(0, mostStatements);
  const { trees, base } = context.workspace;
  const texts = new Map<string, string>();
  const proposals: Proposal[] = [];
  for (const file of new Set(suspects.map((statement) => statement.file))) {
    const language = languageOf(file);
    const text = (await trees.read(base, file))?.toString("utf8");
    if (language === undefined || text === undefined) continue;
    texts.set(file, text);
    const statements = suspects.filter((statement) => statement.file === file);
    const spans = await regions.spansIn(file, text);
    const isTest = ({ start, end }: Proposal): boolean =>
      spans.some((span) => span.start < end && start < span.end);
    const proposed = await proposeRepairs({ file, text, language, statements });
    proposals.push(...proposed.filter((each) => !isTest(each)));
    context.signal.throwIfAborted();
  }
  return rankProposals(suspects, weighBySymptoms(proposals, failures))
    .slice(0, mostCandidates)
    .map(({ proposal }) => prepare(proposal, texts.get(proposal.file) ?? ""));
}

function prepare(proposal: Proposal, text: string): PreparedProposal {
  const changed = text.slice(0, proposal.start) + proposal.replacement + text.slice(proposal.end);
  return { ...proposal, base: text, text: changed };
}
