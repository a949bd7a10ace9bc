/**
 * Removes from a git configuration everything that gives access to other systems. Commands in a sandbox need no remote,
 * and a model can read every file that these commands can read.
 */

const header = /^\s*\[\s*([^\]\s".]*)[^\]]*\]/;
/** Sections that git itself needs and that hold no key. Millwright removes sections of other programs or people. */
const keptSection =
  /^(?:core|extensions|remote|branch|submodule|user|author|committer|init|index|feature|pack|gc|fetch|pull|push|merge|rebase|diff|status|log|color|commit|tag|url|http|i18n|lfs)$/i;
/** Keys in these sections whose values are secrets, lead to them, or are commands. */
const droppedKey =
  /^(?:worktree|extraheader|cookiefile|proxy\w*|sslkey|sslcert\w*|gitproxy|signingkey|hookspath|fsmonitor|editor|pager|external|vcs)$|pass|token|secret|auth|command|program|helper|driver|textconv/i;

/**
 * Removes credentials from a git configuration, line by line (git-config(1), "Syntax"). Keeps only the sections of an
 * allow-list. Removes keys with credentials, comments, and user and password in URLs. In HTTP URLs, removes the user
 * even without a password, because it may be a token. Also removes `core.worktree`, because git would write there.
 */
export function stripCredentials(config: string): string {
  let isKept = true;
  let dropsNext = false;
  const kept = config.split("\n").flatMap((line) => {
    const continues = /(^|[^\\])(\\\\)*\\\r?$/.test(line);
    if (dropsNext) {
      dropsNext = continues;
      return [];
    }
    const named = header.exec(line);
    if (named !== null) isKept = keptSection.test(named[1] ?? "");
    const rest = line.slice(named?.[0].length ?? 0);
    const key = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(=|$|[;#])/.exec(rest)?.[1] ?? "";
    if (isKept && !droppedKey.test(key) && !/^\s*[;#]/.test(rest))
      return [stripAddresses(stripComment(line))];
    dropsNext = continues;
    return named === null || !isKept ? [] : [stripAddresses(named[0])];
  });
  return kept.join("\n");
}

/** Removes a comment after a value, unless the sign may be inside quotes. */
function stripComment(line: string): string {
  return line.includes('"') ? line : line.replace(/\s+[;#].*$/, "");
}

/**
 * Removes users, passwords and keys from the addresses in a text: `https://TOKEN@host`, `ssh://user:password@host`,
 * `https://host/?private_token=TOKEN`. Keeps the user of `ssh://git@host`, because it is not secret.
 */
export function stripAddresses(text: string): string {
  return text
    .replace(/(https?:\/\/)[^\s/"]*@/gi, "$1")
    .replace(/(:\/\/[^\s/:"@]*):[^\s/"]*@/g, "$1@")
    .replace(/([?&][\w-]*(?:token|key|secret|password)=)[^\s&"]+/gi, "$1");
}
