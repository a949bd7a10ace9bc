/** Stores files in a bucket of S3, or of another server with S3's protocol. */
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { largestText } from "../base/regular-file.ts";
import { formatSize } from "../base/units.ts";
import type { ObjectStore } from "./object-store.ts";

export interface Bucket {
  readonly name: string;
  /** The path in the bucket: empty, or with a slash at its end. */
  readonly prefix: string;
}

/**
 * Parses `s3://BUCKET/PREFIX`; undefined for a folder's path. Throws MillwrightError("usage") for an address that
 * begins with `s3:` but has another form.
 */
export function readBucket(place: string): Bucket | undefined {
  if (!place.startsWith("s3:")) return undefined;
  const [, name, path = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]+[a-z0-9])((?:\/.*)?)$/.exec(place) ?? [];
  if (name === undefined)
    throw new MillwrightError("usage", `${JSON.stringify(place)} names no bucket`, {
      hint: "Write s3://BUCKET or s3://BUCKET/PREFIX.",
    });
  const parts = path.split("/").filter((part) => part !== "");
  return { name, prefix: parts.map((part) => `${part}/`).join("") };
}

/**
 * Opens a bucket. Credentials, region and server come from the variables of Amazon's own clients (`AWS_ACCESS_KEY_ID`,
 * …, `AWS_ENDPOINT_URL`). Throws MillwrightError("disk") if the bucket cannot be used, or if its server overwrites
 * existing files although the request forbids it.
 */
export async function openBucket({ name, prefix }: Bucket): Promise<Omit<ObjectStore, "id">> {
  const { GetObjectCommand, PutObjectCommand, S3Client } = await import("@aws-sdk/client-s3");
  const { env } = process;
  const isOther = (env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"] ?? "") !== "";
  const client = new S3Client({
    // Other servers seldom have a name for each bucket, a region, or checksums in trailers.
    ...(isOther ? { forcePathStyle: true, region: env["AWS_REGION"] ?? "us-east-1" } : {}),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 10_000, requestTimeout: 60_000, throwOnRequestTimeout: true },
  });
  const shown = `s3://${name}/${prefix}`.replace(/\/$/, "");
  const failing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof MillwrightError) throw cause;
      throw new MillwrightError("disk", `The store ${shown} cannot be used: ${reasonOf(cause)}`, {
        cause,
        hint: "Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and AWS_ENDPOINT_URL if the server is not Amazon's.",
      });
    }
  };
  const read = async (path: string): Promise<Buffer | undefined> => {
    try {
      const found = await client.send(new GetObjectCommand({ Bucket: name, Key: `${prefix}${path}` }));
      const size = found.ContentLength ?? 0;
      if (size > largestText) throw new Error(`${path} has ${formatSize(size)}`);
      return Buffer.from((await found.Body?.transformToByteArray()) ?? []);
    } catch (error) {
      if (errorName(error) === "NoSuchKey") return undefined;
      throw error;
    }
  };
  const write = async (path: string, content: Uint8Array): Promise<boolean> => {
    for (;;) {
      try {
        const request = { Bucket: name, Key: `${prefix}${path}`, Body: content, IfNoneMatch: "*" };
        await client.send(new PutObjectCommand(request));
        return true;
      } catch (error) {
        // Two writers at once: the server asks to repeat.
        if (errorName(error) === "ConditionalRequestConflict") continue;
        if (errorName(error) !== "PreconditionFailed") throw error;
        // The answer to our own first attempt may have been lost.
        return attemptsOf(error) > 1 && (await read(path))?.equals(content) === true;
      }
    }
  };
  await failing(async () => {
    const note = Buffer.from("The batches of Millwright\n");
    await write("store.txt", note);
    if (await write("store.txt", note))
      throw new Error("the server ignores If-None-Match, so a write could replace results");
  });
  return {
    name: shown,
    get: (path) => failing(() => read(path)),
    putOnce: (path, content) => failing(() => write(path, content)),
  };
}

/**
 * True if the server has no space, or the bucket has used its quota. Recognises the errors of MinIO, Ceph and others.
 */
export function isFullBucket(error: unknown): boolean {
  return /StorageFull|QuotaExceeded|InsufficientStorage/.test(errorName(error)) || statusOf(error) === 507;
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === "" ? error.name : error.message;
}

/** Returns the number of the client's attempts: it repeats a request that gets no answer. */
function attemptsOf(error: unknown): number {
  return metadataOf(error).attempts ?? 1;
}

function statusOf(error: unknown): number | undefined {
  return metadataOf(error).httpStatusCode;
}

const metadataSchema = z.object({
  $metadata: z.object({ attempts: z.number().optional(), httpStatusCode: z.number().optional() }),
});

function metadataOf(error: unknown): z.infer<typeof metadataSchema>["$metadata"] {
  return metadataSchema.safeParse(error).data?.$metadata ?? {};
}
