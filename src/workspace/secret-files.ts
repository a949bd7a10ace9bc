/**
 * Recognises files that contain keys: by their names, and settings files by their contents. A run with a model omits
 * these files from its copy, so that no shell can print them.
 */
import { type Dirent, readdirSync, type Stats } from "node:fs";
import picomatch from "picomatch";
import { readRegularFile, readTextIfRegular } from "../base/regular-file.ts";
import { sourceExtensions } from "../languages/source-files.ts";
import { type BytePath, hostPath, nameOf, showPath } from "./byte-path.ts";
import { statNow } from "./file-status.ts";

/** Extensions of other texts that people write. The sources of a language have those of its record. */
const otherTexts = ["css", "html", "kt", "md", "scala", "sh", "svelte", "swift", "vue"];
const sources = `{${[...sourceExtensions.map((each) => each.slice(1)), ...otherTexts].join()}}`;

/** Names as globs, independent of case. Tracked files are exempt, because tests track their own certificates. */
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
  "kubeconfig{,.yml,.yaml}",
  ".dev.vars{,.*}",
  ".secrets",
  ".terraformrc",
  ".*_history",
  "{token,tokens}.json",
  "client_secret*.json",
  "*.{pem,key,ppk,p8,p12,pfx,jks,keystore,kdbx}",
  "*.{tfvars,tfstate}{,.*}",
  `id_{rsa,dsa,ecdsa,ed25519}*([0-9]){,[._-]!({,*.}{pub,${sources.slice(1, -1)}})}`,
  "{,.,*[._-]}credentials{,.json,.yml,.yaml,.toml,.csv}",
  "{*[._-],}{access,root}{,_,-}key{,s}.csv",
  ".mylogin.cnf",
  ".vault{_,-}pass{,word}{,.txt}",
  "{service-account,service_account}*.json",
  "secrets.{json,yml,yaml,toml}",
  "env.{production,staging,development}",
  ".environment",
  "htpasswd",
  "{.,}{token,secret,password,passwords,api_key,apikey,api-key}{,.txt}",
  "*.token",
  "{kaggle,storageState}.json",
  "*firebase-adminsdk*.json",
  "{,*.}secrets.json",
  "rclone.conf",
  ".passwd-s3fs",
  "cookies.{txt,sqlite}",
  "token.pickle",
  "secring.*",
  "settings-security.xml",
  "{,*[._-]}vault{_,-}pass{,word}{,.txt}",
];
/** Folders in which programs keep their keys. */
const secretFolders = [
  "**/.{aws,azure,gnupg,kube,ssh,gcloud,oci,kaggle,huggingface,heroku,anaconda,databricks,snowflake,pulumi}/**",
  "**/.config/{gh,gcloud,op,hub,glab-cli,rclone,doctl,composer}{,/**}",
  "**/.cache/huggingface/*token*",
  "**/playwright/.auth/**",
  "**/.docker/config.json",
  "**/.secrets/**",
  // Not sources: an untracked package may have this name.
  `**/secret{,s}/**/!(*.${sources})`,
];
/** Exceptions: names of examples of files with keys. */
const exampleNames = ["*.{example,sample,template,dist,default,defaults}", "*.{example,sample,template}.*"];
/** Settings that a build may need. They count as secret only if their text contains a key. */
const settingNames = [
  ".npmrc",
  ".yarnrc{,.yml}",
  "{.,}pip.conf",
  "pip.ini",
  "{gradle,local,keystore,signing,sentry}.properties",
  "settings.xml",
  "nuget.config",
  "bunfig.toml",
  "{local.settings,settings.local}.json",
  "appsettings.*.json",
  "application-*.{properties,yml,yaml}",
  "*.local.{json,xml,yml,yaml}",
  "settings.json",
  "{.,}mcp.json",
  ".my.cnf",
  ".databrickscfg",
  ".{flaskenv,gitconfig,sentryclirc,curlrc,wgetrc,msmtprc,muttrc,condarc,Renviron,Rprofile,ftpconfig}",
  "{poetry,auth,uv,connections}.toml",
  "{database,profiles,ngrok,doctl}.{yml,yaml}",
  ".aider.conf.{yml,yaml}",
  "docker-compose.override.{yml,yaml}",
  "{sftp,sftp-config,launch}.json",
  "jupyter_*config.json",
  "{web,app,connectionStrings}.config",
  "{workspace,dataSources}.xml",
  "wp-config.php",
];
/** Settings whose name alone is common. */
const settingPaths = ["**/.cargo/config{,.toml}", "**/.{bundle,netlify,continue}/config{,.json}"];
/** Matches a private key, under any name. A text that only mentions the words has no line break or `\\n` after them. */
const privateKey =
  /-----BEGIN (?:[A-Z ]{1,20} )?PRIVATE KEY(?: BLOCK)?-----(?:\r?\n|\\n)|^AGE-SECRET-KEY-1[0-9A-Z]{40}/m;
/** Maximum bytes of a file that may be a private key, or contain one. */
const largestKey = 64 * 1024;
/** Matches a name with a value, a flag followed by a quoted value, a header, or an address with a password. */
const keyInText =
  /(?:auth(?:orization)?|token|passw(?:or)?d|passphrase|secret|(?:api|access|account|private|secret)[_-]?key|[_-](?:key|pat))["'>]?\s*(?:[:=>]|value\s*=)|--?[\w-]{0,40}(?:token|key|pat|secret|passw(?:or)?d)["']\s*,\s*["']|\bbearer\s+\S|:\/\/[^\s/@"']+@|extraheader/i;

/** Endings that editors, tools and people add to a file's name for a copy. */
const backupEnding =
  /(?:(?: -)?[._ -](?:bak|backup|old|orig|save|copy)\d*|\.\d[\d-]{0,13}| \((?:\d+|(?:\w+ )?copy(?: \d+)?)\)|~|(?<=^#.+)#)+$/i;
const backupStart = /^(?:copy (?:\(\d+\) )?of |\.?#)/i;
/** The file from which an editor recovers NAME is `.NAME.swp`, or `NAME.swp` if the name begins with a dot. */
const swapName = /^\.(.+)\.sw[a-p]$/i;

const options = { dot: true, nocase: true } as const;
const isSecretName = picomatch(secretNames, options);
const isSecretFolder = picomatch(secretFolders, options);
const isExampleName = picomatch(exampleNames, options);
const isSource = picomatch(`*.${sources}`, options);
const isSettingName = picomatch(settingNames, options);
const isSettingPath = picomatch(settingPaths, options);

/**
 * Finds the untracked paths that contain secrets. Leaves out the `shared` paths, which are relative to the repository.
 */
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
  const place = showPath(path).replace(backupEnding, "");
  if (isSecretFolder(place)) return true;
  const names = originalNames(nameOf(path));
  if (
    names.some((each) => isSettingName(each)) ||
    isSettingPath(place) ||
    /(?:^|\/)\.git\/config$/.test(path)
  )
    return hasKey(repository, path);
  if (names.some((each) => isExampleName(each))) return false;
  return (
    names.some((each) => isSecretName(each)) ||
    (!names.some((each) => isSource(each)) && isPrivateKey(repository, path))
  );
}

/** Returns the possible names of the file of which this file is a copy, or its own name. */
function originalNames(name: string): string[] {
  const swapped = swapName.exec(name)?.[1];
  const names = swapped === undefined ? [name] : [swapped, `.${swapped}`];
  return names.map((each) => each.replace(backupEnding, "").replace(backupStart, ""));
}

/** True for a file that contains a private key, whatever its name is. Sources are exempt: tests contain such texts. */
function isPrivateKey(repository: string, path: BytePath): boolean {
  const file = hostPath(repository, path);
  if (typeof file !== "string" || !withinKey(statNow(file))) return false;
  return privateKey.test(readTextIfRegular(file, largestKey) ?? "");
}

function withinKey(status: Stats | undefined): boolean {
  return status?.isFile() === true && status.size >= 40 && status.size <= largestKey;
}

function hasKey(repository: string, path: BytePath): boolean {
  const file = hostPath(repository, path);
  // A link shows content from elsewhere, and names that are not text cannot match.
  if (typeof file !== "string" || statNow(file)?.isFile() !== true) return true;
  return keyInText.test(readRegularFile(file).toString("latin1"));
}

/** Folders of installed or built files. They are large, and their certificates are public. */
const installed =
  /^(?:node_modules|bower_components|\.?venv|env|site-packages|vendor|target|\.tox|\.nox|\.gradle|\.mypy_cache|__pycache__)$/;
/** Maximum number of entries to check, over all folders. */
const mostEntries = 20_000;

/**
 * Returns the ignored paths, with the contents of each ignored folder that contains secrets in place of the folder.
 * Does not search folders of installed or built files, or more than `mostEntries` entries.
 */
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
    return []; // missing or forbidden: the copy will report it
  }
}
