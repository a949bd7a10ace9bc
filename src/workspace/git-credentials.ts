/** A git configuration without what opens other doors: commands in a sandbox need no remote, and a model reads what they can. */

const header = /^\s*\[\s*([^\]\s"]*)[^\]]*\]/;
/** Keys whose values are secrets, or lead to them. */
const secretKey =
  /^(extraheader|cookiefile|askpass|sslkey|sslcertpasswordprotected|smtppass)$|pass(word)?$|token|secret/i;
/** Sections that are left out whole. */
const secretSection = /^credential(\.|$)/i;

/**
 * The text without credentials, line by line (git-config(1), "Syntax"): sections `credential`, keys such as `extraHeader`, user and
 * password in addresses, of HTTP a user alone too, for tokens stand there. `core.worktree` goes as well: git would write there.
 */
export function stripCredentials(config: string): string {
  let section = "";
  let dropsNext = false;
  const kept = config.split("\n").flatMap((line) => {
    const continues = /(^|[^\\])(\\\\)*\\\r?$/.test(line);
    if (dropsNext) {
      dropsNext = continues;
      return [];
    }
    const named = header.exec(line);
    section = named?.[1] ?? section;
    const key =
      /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(=|$|[;#])/.exec(line.slice(named?.[0].length ?? 0))?.[1] ?? "";
    if (!isSecret(section, key)) return [stripAddresses(line)];
    dropsNext = continues;
    return named === null || secretSection.test(section) ? [] : [stripAddresses(named[0])];
  });
  return kept.join("\n");
}

function isSecret(section: string, key: string): boolean {
  if (secretSection.test(section)) return true;
  return secretKey.test(key) || (/^core$/i.test(section) && /^worktree$/i.test(key));
}

/** `https://TOKEN@host` and `ssh://user:password@host` lose what stands before the host; `ssh://git@host` is no secret. */
function stripAddresses(line: string): string {
  return line.replace(/(https?:\/\/)[^\s/"@]*@/gi, "$1").replace(/(:\/\/[^\s/:"@]*):[^\s/"@]*@/g, "$1@");
}
