// Adds the optional packages of other platforms to package-lock.json. If a registry mirror does not serve them, npm
// omits them from the lock, and `npm ci` then refuses the lock. Run it after each change of the lock (npm run lock).
import { readFileSync, writeFileSync } from "node:fs";

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const systems = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "openharmony",
  "win32",
  "wasm32",
  "aix",
  "netbsd",
  "openbsd",
  "sunos",
];
const processors = ["x64", "arm64", "arm", "ia32", "riscv64", "s390x", "ppc64", "loong64", "mips64el"];

/** Platform fields from a name such as `@scope/binding-linux-arm64-musl`. */
function platformOf(name: string): Pick<Entry, "os" | "cpu" | "libc"> {
  const words = name.split(/[-/]/);
  const os = words.find((word) => systems.includes(word));
  const cpu = words.find((word) => processors.includes(word));
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(os === undefined ? {} : { os: [os] }),
    ...(words.includes("musl") ? { libc: ["musl"] } : {}),
  };
}

const path = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Entry> };
for (const [at, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    const hoisted = `node_modules/${name}`;
    if (lock.packages[nested] !== undefined || lock.packages[hoisted] !== undefined || !/^\d/.test(version))
      continue;
    const dev = entry.dev === true ? { dev: true } : {};
    lock.packages[hoisted] = { version, ...platformOf(name), ...dev, optional: true };
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
