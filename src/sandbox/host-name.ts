import { randomBytes } from "node:crypto";

/** Makes a host name that no code can know. A fixed name would reveal to code that it runs in a sandbox. */
export function makeHostName(): string {
  return `host-${randomBytes(4).toString("hex")}`;
}
