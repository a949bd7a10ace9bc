/**
 * Stores a host's answers (pages) on disk. A later request sends the stored answer's ETag, and an interrupted reading
 * continues with the stored answers. Each answer is a file; after a crash, the file is complete or absent.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { isSystemError } from "../base/errors.ts";
import { hashData } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";
import { parseJson } from "../base/parse-json.ts";
import { largestText, readRegularFile } from "../base/regular-file.ts";

const pageSchema = z.object({
  schema: z.literal("millwright.forge-page/1"),
  etag: z.string().optional(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** Time of the host's last answer, in milliseconds since 1970. */
  at: z.number(),
});
export type Page = Omit<z.infer<typeof pageSchema>, "schema">;

/** Identifies a request, without the token. */
export interface PageName {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

export interface Pages {
  find(name: PageName): Promise<Page | undefined>;
  /** True if this reading, or the interrupted one that it continues, got the page. */
  isFresh(page: Page): boolean;
  keep(name: PageName, page: Page): Promise<void>;
  /** Ends the reading. The next reading asks for each page again. */
  finish(): Promise<void>;
}

const readingSchema = z.object({ started: z.number() });
/**
 * Maximum age in milliseconds of a reading that can continue. Pages move when requests arrive, so an older reading
 * starts again.
 */
const longestReadingMs = 24 * 3600 * 1000;

/**
 * Opens the folder of pages, and continues an interrupted reading of the last 24 hours. Throws the system's error if
 * the folder cannot be used.
 */
export async function openPages(folder: string, now = Date.now()): Promise<Pages> {
  await makeFolders(folder);
  const marker = join(folder, "reading.json");
  const earlier = readingSchema.safeParse(await readData(marker));
  const continues = earlier.success && now - earlier.data.started < longestReadingMs;
  const started = continues ? earlier.data.started : now;
  if (!continues) await writeFileAtomically(marker, `${JSON.stringify({ started })}\n`);
  const pathOf = ({ method, url, body }: PageName): string =>
    join(folder, `${hashData([method, url, body])}.json`);
  return {
    async find(name) {
      const parsed = pageSchema.safeParse(await readData(pathOf(name)));
      return parsed.success ? parsed.data : undefined;
    },
    isFresh: ({ at }) => at >= started,
    keep: (name, page) =>
      writeFileAtomically(
        pathOf(name),
        `${JSON.stringify({ schema: "millwright.forge-page/1", ...page })}\n`,
      ),
    finish: () => rm(marker, { force: true }),
  };
}

async function readData(path: string): Promise<unknown> {
  try {
    return parseJson(readRegularFile(path, largestText).toString("utf8"));
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}
