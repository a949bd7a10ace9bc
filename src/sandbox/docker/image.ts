/**
 * The image for sandboxes that show the host's toolchain. It has no programs: the toolchain is mounted into its root
 * folder.
 */
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type Docker from "dockerode";
import { hashData } from "../../base/hash.ts";
import type { HostView } from "../toolchain.ts";
import { ask, isMissing } from "./client.ts";

const repository = "millwright-host";

/**
 * Returns the name of the image. Creates the image if the daemon does not have it. The image contains only the root
 * folder's symbolic links.
 */
export async function ensureHostImage(docker: Docker, view: HostView): Promise<string> {
  const links = [...view.links, { path: "/var/tmp", to: "/tmp" }, { path: "/var/run", to: "/run" }];
  const tag = hashData(links).slice(0, 12);
  const name = `${repository}:${tag}`;
  const exists = await ask(
    "looking for an image",
    docker
      .getImage(name)
      .inspect()
      .then(
        () => true,
        (error: unknown) => {
          if (isMissing(error)) return false;
          throw error;
        },
      ),
  );
  if (!exists) {
    const archive = Readable.from([makeArchive(links)]);
    await ask("importing an image", importArchive(docker, archive, tag));
  }
  return name;
}

async function importArchive(docker: Docker, archive: Readable, tag: string): Promise<void> {
  const answer = await docker.importImage(archive, { repo: repository, tag });
  answer.resume();
  await finished(answer);
}

/** Makes a tar archive (POSIX ustar) of symbolic links. */
function makeArchive(links: readonly { path: string; to: string }[]): Buffer {
  const headers = links.map(({ path, to }) => linkHeader(path.slice(1), to));
  return Buffer.concat([...headers, Buffer.alloc(1024)]);
}

function linkHeader(name: string, target: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write("0000777\0", 100); // mode
  header.write("0000000\0", 108); // user
  header.write("0000000\0", 116); // group
  header.write("00000000000\0", 124); // size
  header.write("00000000000\0", 136); // time
  header.write("        ", 148); // the checksum counts as blanks
  header.write("2", 156); // symbolic link
  header.write(target, 157, 100);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
