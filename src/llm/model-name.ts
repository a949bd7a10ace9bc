/**
 * Resolves a name given to `--model`: the provider's record, the model's id, and the key and address from the
 * environment.
 */
import { MillwrightError } from "../base/errors.ts";
import type { ModelProvider } from "./provider.ts";
import { modelProviders } from "./providers/index.generated.ts";

export interface NamedModel {
  readonly provider: ModelProvider;
  /** A model's id or a path; empty for `none`. */
  readonly id: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses a name such as `openai/gpt-5.4`. Throws MillwrightError("usage") if the provider is unknown or the name is
 * incomplete. The hint lists all providers, or gives an example for this provider.
 */
export function parseModelName(
  name: string,
  providers: readonly ModelProvider[] = modelProviders,
): NamedModel {
  const [, prefix = name, separator = "", id = ""] = /^([^/:]*)([/:])(.*)$/s.exec(name) ?? [];
  const provider = providers.find((each) => each.name === prefix);
  if (provider === undefined)
    throw new MillwrightError("usage", `There is no model provider "${prefix}" (in "${name}").`, {
      hint: listForms(providers),
    });
  const fits = {
    id: separator === "/" && id !== "",
    path: separator === ":" && id !== "",
    none: separator === "",
  };
  if (!fits[provider.form])
    throw new MillwrightError("usage", `"${name}" is not a complete model name.`, {
      hint: `An example: ${provider.example}`,
    });
  return { provider, id };
}

/**
 * Returns the folder of the recording from which this model answers; undefined for other models. Throws
 * MillwrightError("usage") for an unknown provider and for an incomplete name.
 */
export function recordingOf(name: string): string | undefined {
  const { provider, id } = parseModelName(name);
  return provider.isRecording === true ? id : undefined;
}

function listForms(providers: readonly ModelProvider[]): string {
  const forms = {
    id: (name: string) => `${name}/ID`,
    path: (name: string) => `${name}:PATH`,
    none: (name: string) => name,
  };
  return `Models have names such as ${providers[0]?.example}: ${providers.map(({ name, form }) => forms[form](name)).join(", ")}.`;
}

export interface Access {
  readonly key: string | undefined;
  /** The server's address; undefined if none is set and the provider has no default. */
  readonly address: string | undefined;
  /** The missing key or address, for `doctor` and errors; undefined if nothing is missing. */
  readonly missing: { readonly what: string; readonly remedy: string } | undefined;
}

/**
 * Finds the key and address of a provider, without a call. `address`: the user's setting, which counts only for
 * providers without a default address.
 */
export function findAccess(provider: ModelProvider, environment: Environment, address?: string): Access {
  const key = firstSet(provider.keys, environment);
  const found =
    (provider.address === undefined ? address : undefined) ??
    firstSet(provider.addresses, environment) ??
    provider.address;
  if (provider.needsKey && key === undefined) {
    const [usual = "", ...others] = provider.keys;
    const also = others.length === 0 ? "" : ` (or ${others.join(", ")})`;
    const remedy = `Set ${usual}${also} in the environment or in ~/.config/millwright/.env.`;
    return {
      key,
      address: found,
      missing: { what: `no key for ${provider.name}: ${usual} is not set`, remedy },
    };
  }
  if (found === undefined) {
    const remedy = `Give the address with --model-url or ${provider.addresses.join(", ")}, such as http://127.0.0.1:8000/v1.`;
    return { key, address: found, missing: { what: `no address for ${provider.name}`, remedy } };
  }
  return { key, address: found.replace(/\/+$/, ""), missing: undefined };
}

function firstSet(names: readonly string[], environment: Environment): string | undefined {
  return names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== "");
}

/**
 * Adds keys from a file `.env` to the environment, which takes precedence. Ignores addresses: an address from a
 * repository's file could send the user's key anywhere.
 */
export function withKeysOf(
  dotenv: Environment,
  environment: Environment,
  providers: readonly ModelProvider[] = modelProviders,
): Environment {
  const keys = providers.flatMap((provider) => provider.keys).filter((name) => dotenv[name] !== undefined);
  return { ...Object.fromEntries(keys.map((name) => [name, dotenv[name]])), ...environment };
}
