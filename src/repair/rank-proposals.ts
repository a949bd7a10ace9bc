/** The order in which proposals are tried. */
import type { Proposal, Suspect } from "./propose-repairs.ts";

/** How fast a statement's turn passes: its 13th proposal counts half of what its first would. */
const patience = 12;

export interface RankedProposal {
  readonly proposal: Proposal;
  /** Suspiciousness × prior × likeness × the statement's share; for display. */
  readonly score: number;
}

/**
 * Best first over suspiciousness × template prior × likeness. The more of a statement's proposals stand before one, the
 * less it counts, so that one hot statement does not starve the next. The order depends on nothing but the arguments.
 */
export function rankProposals(
  suspects: readonly Suspect[],
  proposals: readonly Proposal[],
): RankedProposal[] {
  const scores = new Map<string, number>();
  for (const suspect of suspects) {
    for (let line = suspect.startLine; line <= suspect.endLine; line++) {
      const key = `${suspect.file}:${line}`;
      scores.set(key, Math.max(scores.get(key) ?? 0, suspect.score));
    }
  }
  const groups = new Map<string, RankedProposal[]>();
  for (const proposal of proposals) {
    const key = `${proposal.file}:${proposal.statementLine}`;
    const score = (scores.get(key) ?? 0) * proposal.prior * proposal.likeness;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ proposal, score }]);
    else group.push({ proposal, score });
  }
  return [...groups.values()].flatMap(applyDecay).sort(compareRanked);
}

function applyDecay(group: readonly RankedProposal[]): RankedProposal[] {
  return [...group]
    .sort(compareRanked)
    .map(({ proposal, score }, index) => ({ proposal, score: (score * patience) / (patience + index) }));
}

function compareRanked(a: RankedProposal, b: RankedProposal): number {
  const byPlace = (x: Proposal, y: Proposal): number =>
    compareText(x.file, y.file) ||
    x.start - y.start ||
    x.end - y.end ||
    compareText(x.replacement, y.replacement);
  return b.score - a.score || byPlace(a.proposal, b.proposal);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
