import { randomBytes } from "node:crypto";

/** A host name that no code can know. By a fixed name, code could recognise that it runs in a sandbox. */
export function makeHostName(): string {
  return `host-${randomBytes(4).toString("hex")}`;
}
