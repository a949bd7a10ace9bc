/** Opens a queue by its address. */
import { MillwrightError } from "../base/errors.ts";
import { describeServer } from "./connection-errors.ts";
import type { JobQueue, QueueOptions } from "./contract.ts";

/** Opens the queue. Throws MillwrightError: "usage" for an invalid address, "queue" for an unusable server. */
export async function openQueue(url: string, options: QueueOptions): Promise<JobQueue> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new MillwrightError("usage", "--queue needs the address of a PostgreSQL server", {
      hint: "Give an address such as postgres://USER@HOST/DATABASE; the password can be in PGPASSWORD.",
    });
  const { openPostgresQueue } = await import("./postgres.ts");
  try {
    return await openPostgresQueue(url, options);
  } catch (error) {
    throw describeServer(url).wrap(error);
  }
}
