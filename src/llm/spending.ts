import { noUsage, type Usage } from "../domain/solve-report.ts";
import type { CallUsage, ModelRole, Spending } from "./contract.ts";
import type { RawUsage } from "./provider.ts";

type Purpose = ModelRole | "embedding";

export interface Ledger {
  /** Counts usage, here and in all parents. */
  add(purpose: Purpose, usage: RawUsage): void;
  spent(): Spending;
  child(): Ledger;
}

export function createLedger(parent?: Ledger): Ledger {
  const byRole = new Map<Purpose, Usage>();
  let total = noUsage;
  let unpriced = 0;
  const ledger: Ledger = {
    add(purpose, usage) {
      parent?.add(purpose, usage);
      total = addUsage(total, usage);
      byRole.set(purpose, addUsage(byRole.get(purpose) ?? noUsage, usage));
      if (usage.usd === undefined) unpriced += 1;
    },
    spent: () => ({ ...total, unpriced, byRole: Object.fromEntries(byRole) }),
    child: () => createLedger(ledger),
  };
  return ledger;
}

function addUsage(sum: Usage, { input, cached, output, usd = 0 }: RawUsage): Usage {
  return {
    calls: sum.calls + 1,
    inputTokens: sum.inputTokens + input,
    cachedTokens: sum.cachedTokens + cached,
    outputTokens: sum.outputTokens + output,
    usd: sum.usd + usd,
  };
}

/** Adds the usages of several calls. `unpriced` counts the calls with an unknown price. */
export function addUsages(usages: readonly RawUsage[]): Usage & { readonly unpriced: number } {
  return {
    ...usages.reduce(addUsage, noUsage),
    unpriced: usages.filter(({ usd }) => usd === undefined).length,
  };
}

export function sumUsage(usages: readonly RawUsage[]): CallUsage {
  const sum = usages.reduce(addUsage, noUsage);
  return {
    inputTokens: sum.inputTokens,
    cachedTokens: sum.cachedTokens,
    outputTokens: sum.outputTokens,
    usd: usages.some(({ usd }) => usd === undefined) ? undefined : sum.usd,
    estimated: usages.some(({ estimated }) => estimated === true),
  };
}
