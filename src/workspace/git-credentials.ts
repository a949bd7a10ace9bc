/**
 * Removes from a git configuration everything that gives access to other systems. Commands in a sandbox need no remote,
 * and a model can read every file that these commands can read.
 */
import { type ConfigSetting, readConfig, writeConfig } from "./git-config.ts";

/** Sections that git itself needs. Millwright removes sections of other programs or people. */
const keptSection =
  /^(?:core|extensions|remote|branch|submodule|user|author|committer|init|index|feature|pack|gc|fetch|pull|push|merge|rebase|diff|status|log|color|commit|tag|url|http|i18n|lfs)$/i;
/** Keys in these sections whose values are secrets, lead to them, or are commands. */
const droppedKey =
  /^(?:worktree|extraheader|cookiefile|proxy\w*|sslkey|sslcert\w*|gitproxy|signingkey|hookspath|fsmonitor|editor|pager|external|vcs|args|uploadpack|receivepack)$|pass|token|secret|auth|command|program|helper|driver|textconv/i;
/** Keys whose values may be any text. */
const textKey =
  /^(?:remote\.(?:url|pushurl|fetch|push|partialclonefilter)|branch\.(?:remote|merge|pushremote)|submodule\.(?:url|path|branch|active)|(?:user|author|committer)\.(?:name|email)|url\.\w+|lfs\.(?:url|pushurl)|init\.defaultbranch|core\.(?:excludesfile|attributesfile))$/i;
/** Matches a switch, a number, or words. No other text is left under a key that git does not need. */
const plainValue = /^(?:-?\d{1,10}[kmg]?|[a-z]{0,20}(?:[ ,-]{1,2}[a-z]{1,20}){0,9})$/i;

/**
 * Removes credentials from a git configuration. Keeps only the sections of an allow-list. In these sections, keeps any
 * text under the keys of a second allow-list, and elsewhere only switches, numbers and words. Removes comments, and
 * user and password in URLs. In HTTP URLs, removes the user even without a password, because it may be a token. Also
 * removes `core.worktree`, because git would write there. Writes the rest in git's usual form.
 */
export function stripCredentials(config: string): string {
  return writeConfig(readConfig(config).flatMap(stripSetting));
}

function stripSetting(setting: ConfigSetting): ConfigSetting[] {
  const { section, subsection, key, value } = setting;
  if (!keptSection.test(section) || droppedKey.test(key)) return [];
  const isText = textKey.test(`${section}.${key}`);
  if (!isText && value !== undefined && !plainValue.test(value)) return [];
  return [
    {
      ...setting,
      subsection: subsection === undefined ? undefined : stripAddresses(subsection),
      value:
        value === undefined
          ? undefined
          : stripAddresses(value.replace(/^([^\s/:@]*):(?!\/\/)[^\s@]*@/, "$1@")),
    },
  ];
}

/**
 * Removes users, passwords and keys from the addresses in a text: `https://TOKEN@host`, `ssh://user:password@host`,
 * `https://host/?private_token=TOKEN`. Keeps the user of `ssh://git@host`, because it is not secret.
 */
export function stripAddresses(text: string): string {
  return text
    .replace(/(https?:\/\/)[^\s/"]*@/gi, "$1")
    .replace(/(:\/\/[^\s/:"@]*):[^\s/"]*@/g, "$1@")
    .replace(
      /([?&#;][\w-]*(?:token|key|secret|password|pwd|sig|signature|auth|code|credentials?)=)[^\s&"]+/gi,
      "$1",
    );
}
