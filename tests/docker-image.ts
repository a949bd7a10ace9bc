/** A Docker image made of programs of this machine: no registry is asked. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Docker from "dockerode";

export interface TestImage {
  readonly name: string;
  readonly programs: readonly string[];
  /** Text by absolute path; all are executable. */
  readonly files: Readonly<Record<string, string>>;
  /** Instructions of a Dockerfile. */
  readonly changes: readonly string[];
}

export async function makeImage({ name, programs, files, changes }: TestImage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "millwright-image-"));
  try {
    const archive = join(folder, "image.tar");
    archivePrograms(archive, programs, writeFiles(join(folder, "own"), files));
    const [repo = "", tag] = name.split(":");
    const answer = await new Docker().importImage(archive, { repo, tag, changes: [...changes] });
    for await (const _ of answer) {
      // until the import has ended
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes the image's root folder, for sandboxes whose images are folders. */
export function makeRootFolder(
  folder: string,
  { programs, files }: Pick<TestImage, "programs" | "files">,
): void {
  const work = mkdtempSync(join(tmpdir(), "millwright-image-"));
  try {
    const archive = join(work, "image.tar");
    archivePrograms(archive, programs, writeFiles(join(work, "own"), files));
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["-xf", archive, "-C", folder]);
  } finally {
    rmSync(work, { recursive: true });
  }
}

export async function removeImage(name: string): Promise<void> {
  await new Docker().getImage(name).remove({ force: true });
}

function writeFiles(root: string, files: TestImage["files"]): string {
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  }
  return root;
}

/** The programs with the libraries that they load, and the files below `own`. */
function archivePrograms(archive: string, programs: readonly string[], own: string): void {
  const script = `
    archive=$1; own=$2; shift 2
    for program; do
      path=$(command -v "$program"); echo "$path"; ldd "$path" | grep -o '/[^ ]*'
    done | sort -u | tar -chf "$archive" --transform 's,^/*\\(usr/\\)*,usr/,' -T - 2>/dev/null
    cd "$own" && ln -s usr/bin usr/lib usr/lib64 . && tar -rf "$archive" -- *`;
  execFileSync("sh", ["-c", script, "sh", archive, own, ...programs]);
}
