/** Files that hold keys, by their name. A run with a model leaves them out of its copy: what is in no copy, no shell can print. */
import { type Dirent, readdirSync } from "node:fs";
import picomatch from "picomatch";
import { readRegularFile } from "../base/regular-file.ts";
import { type BytePath, hostPath, nameOf, showPath } from "./byte-path.ts";
import { statNow } from "./file-status.ts";

/** Names, as globs, without case. Tracked files are no part of it: a test's own certificates are. */
const secretNames = [
  ".env",
  ".env[._~-]*",
  "*.env",
  "env.local",
  ".envrc",
  ".netrc",
  "_netrc",
  ".git-credentials",
  ".pypirc",
  ".pgpass",
  ".dockercfg",
  ".dockerconfigjson",
  ".htpasswd",
  ".s3cfg",
  ".boto",
  ".vault-token",
  "auth.json",
  "kubeconfig",
  "*.{pem,key,ppk,p12,pfx,jks,keystore,kdbx}",
  "*.{tfvars,tfstate}{,.*}",
  "id_{rsa,dsa,ecdsa,ed25519}",
  "credentials{,.json,.yml,.yaml,.toml,.csv}",
  "{service-account,service_account}*.json",
  "secrets.{json,yml,yaml,toml}",
];
/** Folders of programs that keep their keys there. */
const secretFolders = [
  "**/.{aws,azure,gnupg,kube,ssh,gcloud}/**",
  "**/.config/{gh,gcloud,op,hub}{,/**}",
  "**/.docker/config.json",
];
/** Of these, what shows how such a file looks. */
const exampleNames = ["*.{example,sample,template,dist,default,defaults}", "*.{example,sample,template}.*"];
/** Settings that a build may need: secret where their text has a key. */
const settingNames = [
  ".npmrc",
  ".yarnrc{,.yml}",
  "{.,}pip.conf",
  "pip.ini",
  "{gradle,local}.properties",
  "settings.xml",
  "nuget.config",
  "bunfig.toml",
];
const keyInText =
  /(?:auth|token|passw(?:or)?d|passphrase|secret)["'>]?\s*(?:[:=>]|value\s*=)|:\/\/[^\s/@"']+@|extraheader/i;

const options = { dot: true, nocase: true } as const;
const isSecretName = picomatch(secretNames, options);
const isSecretFolder = picomatch(secretFolders, options);
const isExampleName = picomatch(exampleNames, options);
const isSettingName = picomatch(settingNames, options);

/** Of paths that git does not track, those with secrets, without the `shared` ones (paths in the repository). */
export function findSecrets(
  repository: string,
  untracked: readonly BytePath[],
  shared: readonly string[],
): ReadonlySet<BytePath> {
  const wanted = new Set(shared.map((path) => path.replace(/^\.\//, "")));
  return new Set(untracked.filter((path) => !wanted.has(showPath(path)) && holdsKeys(repository, path)));
}

function holdsKeys(repository: string, path: BytePath): boolean {
  if (path.endsWith("/")) return false;
  const name = nameOf(path);
  if (isSettingName(name) || /(?:^|\/)\.git\/config$/.test(path)) return hasKey(repository, path);
  return (isSecretName(name) && !isExampleName(name)) || isSecretFolder(showPath(path));
}

function hasKey(repository: string, path: BytePath): boolean {
  const file = hostPath(repository, path);
  // A link shows what stands elsewhere, and a name that is no text is nobody's.
  if (typeof file !== "string" || statNow(file)?.isFile() !== true) return true;
  return keyInText.test(readRegularFile(file).toString("latin1"));
}

/** What is installed or built: it is large, and its certificates are everybody's. */
const installed =
  /^(?:node_modules|bower_components|\.?venv|env|site-packages|vendor|target|\.tox|\.nox|\.gradle|\.mypy_cache|__pycache__)$/;
/** Entries that are looked at, over all folders. */
const mostEntries = 20_000;

/** Ignored paths in which each folder with secrets gives way to what lies in it. */
export function openFolders(repository: string, ignored: readonly BytePath[]): BytePath[] {
  let left = mostEntries;
  const open = (folder: BytePath): BytePath[] => {
    if (installed.test(nameOf(folder.slice(0, -1)))) return [folder];
    const entries = readFolder(hostPath(repository, folder.slice(0, -1)));
    left -= entries.length;
    if (left < 0 || entries.some(({ name }) => name === "pyvenv.cfg")) return [folder];
    const inside = entries.flatMap((entry) =>
      entry.isDirectory() ? open(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
    );
    const isWhole = inside.length === entries.length && !inside.some((path) => holdsKeys(repository, path));
    return isWhole ? [folder] : inside;
  };
  return ignored.flatMap((path) => (path.endsWith("/") ? open(path) : [path]));
}

function readFolder(path: string | Buffer): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true, encoding: "latin1" });
  } catch {
    return []; // gone or forbidden: the copy will say so
  }
}
