/** Parses names of tasks on a dataset hub: `hub:OWNER/NAME[@REVISION][:FILES]`. */
import { MillwrightError } from "../../base/errors.ts";

export interface HubSource {
  /** The dataset's name on the hub, `OWNER/NAME`. */
  readonly dataset: string;
  /** A branch, a tag or a commit. */
  readonly revision: string;
  /** A file or a glob of files; undefined: the only split, or else the split `test`. */
  readonly files: string | undefined;
}

const form = /^hub:([\w.-]+\/[\w.-]+)(?:@([^:@\s]+))?(?::(\S+))?$/;

/**
 * Parses `hub:OWNER/NAME[@REVISION][:FILES]`. Undefined for a text without `hub:`, which is a path. Throws
 * MillwrightError("usage") for a `hub:` name of another form.
 */
export function parseHubSource(text: string): HubSource | undefined {
  if (!text.startsWith("hub:")) return undefined;
  const [, dataset, revision = "main", files] = form.exec(text) ?? [];
  if (dataset !== undefined && !dataset.split("/").some((part) => /^\.+$/.test(part)))
    return { dataset, revision, files };
  throw new MillwrightError("usage", `${text} does not name a dataset of a hub`, {
    hint: "Write hub:OWNER/NAME[@REVISION][:FILES]; FILES is a path or a glob.",
  });
}

export const isCommit = (revision: string): boolean => /^[0-9a-f]{40}$/.test(revision);
