/** Names that some file system takes for `.git`, or that are no name. */
const forbiddenName = /^(?:\.{0,2}|\.git[. ]*|git~1)$/i;

/** True for the name of a file or folder that no tree of ours may have. */
export function isForbiddenName(name: string): boolean {
  return forbiddenName.test(name);
}
