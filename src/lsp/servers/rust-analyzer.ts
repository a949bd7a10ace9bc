import { fieldOf, textOf } from "../../base/fields.ts";
import { defineLanguageServer } from "../language-server.ts";

const settings = {
  // `cargo check` reads the disk instead of the texts in question, and builds next to us.
  checkOnSave: false,
  cargo: { autoreload: true },
};

export default defineLanguageServer({
  name: "rust-analyzer",
  title: "rust-analyzer (Rust)",
  languageIds: { ".rs": "rust" },
  programs: [{ program: "rust-analyzer", arguments: [], version: ["rust-analyzer", "--version"] }],
  remedy:
    "Run `rustup component add rust-analyzer rust-src`; rust-src is the standard library. Without rustup, run `cargo install --root ~/.local/share/millwright/servers ra_ap_rust-analyzer` (half an hour).",
  readiness: {
    notification: "experimental/serverStatus",
    isReady: (parameters) => fieldOf(parameters, "quiescent") === true,
    // Without the sources of the standard library it reports false errors.
    caution: (parameters) => {
      const health = textOf(parameters, "health");
      return health === "ok" ? undefined : (textOf(parameters, "message") ?? health);
    },
  },
  rootFiles: ["Cargo.toml"],
  initializationOptions: settings,
  experimentalCapabilities: { serverStatusNotification: true },
  settings: () => ({ "rust-analyzer": settings }),
  // Sandboxes have no network, and cargo would need half a minute to notice.
  env: { CARGO_NET_OFFLINE: "true" },
  startLimitMs: 180_000,
});
