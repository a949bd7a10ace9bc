/** Reads the rows of Parquet files, the format in which dataset hubs serve rows. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { type Compressors, parquetReadObjects } from "hyparquet";
import { MillwrightError } from "../base/errors.ts";
import { readGivenFile } from "../base/regular-file.ts";
import type { PlacedRow } from "./rows.ts";

/** Decompressors, except Snappy's, which hyparquet itself contains. */
const compressors: Compressors = {
  GZIP: (input) => gunzipSync(input),
  BROTLI: (input) => brotliDecompressSync(input),
  ZSTD: (input) => zstdDecompressSync(input),
};

/** Reads the rows of a Parquet file. Throws MillwrightError("usage") if the file cannot be read as Parquet. */
export async function readParquetRows(path: string): Promise<PlacedRow[]> {
  try {
    const file = new Uint8Array(readGivenFile(path)).buffer;
    const rows = await parquetReadObjects({ file, compressors });
    return rows.map((row, at) => ({ data: plain(row), place: `${path}[${at}]` }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MillwrightError("usage", `${path} cannot be read as Parquet: ${reason}`, { cause });
  }
}

/** Converts a row's values to those of JSON. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}
