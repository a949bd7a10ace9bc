/** Returns the folder of a path with slashes, without a slash at its end; "" for a path at the top. Pure. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}
