import { planRustTrace } from "../rust-trace/plan.ts";
import { defineTracer } from "../tracer.ts";

/**
 * Rust: inserts recording code as text, and links our runtime through a compiler wrapper. Changes no manifest and no
 * lock file.
 */
export default defineTracer({ languages: ["rust"], plan: planRustTrace });
