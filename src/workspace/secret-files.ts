/** Files that hold keys by their name. A run with a model leaves them out of its copy: what is in no copy, no shell can print. */
import picomatch from "picomatch";
import { type BytePath, nameOf, showPath } from "./byte-path.ts";

/** Names, as globs, without case. Tracked files are no part of it: a test's own certificates are. */
const secretNames = [
  ".env",
  ".env.*",
  "*.env",
  ".envrc",
  ".netrc",
  "_netrc",
  ".git-credentials",
  ".pypirc",
  ".pgpass",
  ".dockercfg",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
  "id_{rsa,dsa,ecdsa,ed25519}",
  "credentials.{json,yml,yaml}",
  "{service-account,service_account}*.json",
  "secrets.{json,yml,yaml,toml}",
];
/** Of these, what shows how such a file looks. */
const exampleNames = ["*.{example,sample,template,dist,default,defaults}", "*.{example,sample,template}.*"];

const options = { dot: true, nocase: true } as const;
const isSecretName = picomatch(secretNames, options);
const isExampleName = picomatch(exampleNames, options);

/**
 * Of paths that git does not track (a folder ends with a slash and is taken for none), those with secrets, without the `shared`
 * ones (paths in the repository).
 */
export function findSecrets(
  untracked: readonly BytePath[],
  shared: readonly string[],
): ReadonlySet<BytePath> {
  const wanted = new Set(shared.map((path) => path.replace(/^\.\//, "")));
  return new Set(
    untracked.filter((path) => {
      const name = nameOf(path);
      return isSecretName(name) && !isExampleName(name) && !wanted.has(showPath(path));
    }),
  );
}
