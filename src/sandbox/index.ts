import { MillwrightError } from "../base/errors.ts";
import type { Availability, SandboxProvider } from "./contract.ts";
import { sandboxProviders } from "./index.generated.ts";

/** All sandboxes, the strongest first. */
export const sandboxes: readonly SandboxProvider[] = [...sandboxProviders].sort(
  (a, b) => b.strength - a.strength,
);

export interface SelectedSandbox {
  readonly provider: SandboxProvider;
  readonly availability: Extract<Availability, { available: true }>;
  /** For `auto`: the stronger sandboxes that do not work here. `reason`: why not. */
  readonly passedOver: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Selects the sandbox with that name, or for `auto` the strongest that works here. Throws MillwrightError("usage") for
 * an unknown name. Throws MillwrightError("sandbox") with the reason and the remedy if no such sandbox works here.
 */
export async function selectSandbox(
  name: string,
  providers: readonly SandboxProvider[] = sandboxes,
): Promise<SelectedSandbox> {
  const wanted = providers.filter((provider) => name === "auto" || provider.name === name);
  if (wanted.length === 0) {
    const names = ["auto", ...providers.map((provider) => provider.name)].join(", ");
    throw new MillwrightError("usage", `There is no sandbox "${name}".`, {
      hint: `Choose one of: ${names}.`,
    });
  }
  const passedOver: { name: string; reason: string; remedy: string }[] = [];
  for (const provider of wanted.toSorted((a, b) => b.strength - a.strength)) {
    const availability = await provider.probe();
    if (availability.available) return { provider, availability, passedOver };
    passedOver.push({ name: provider.name, reason: availability.reason, remedy: availability.remedy });
  }
  const reasons = passedOver.map((item) => `${item.name}: ${item.reason}`).join("; ");
  throw new MillwrightError("sandbox", `The sandbox does not work here: ${reasons}.`, {
    hint: passedOver.map((item) => item.remedy).join(" "),
  });
}
