import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "rust",
  extensions: [".rs"],
  grammar: () => "tree-sitter-rust/tree-sitter-rust.wasm",
  testFiles: [
    "**/tests/**/*.rs",
    "**/{test,tests}.rs",
    "**/*_{test,tests}.rs",
    "**/benches/**/*.rs",
    "**/examples/**/*.rs",
    "**/build.rs",
  ],
  toolchain: [
    { name: "cargo", argv: ["cargo", "--version"], remedy: "Install Rust to repair Rust repositories." },
  ],
  runners: ["nextest"],
  probes: [{ markers: ["Cargo.toml"], programs: ["cargo --version", "rustc --version"] }],
  lineComment: "//",
  idleStatement: "let _ = ();",
  lockFiles: { "Cargo.lock": "cargo" },
  homeFolders: [".cargo/bin", ".cargo/config.toml", ".cargo/git", ".cargo/registry", ".rustup"],
  variables: ["CARGO_HOME", "RUSTFLAGS", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"],
});
