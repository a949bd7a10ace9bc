import { planRustTrace } from "../rust-trace/plan.ts";
import { defineTracer } from "../tracer.ts";

/**
 * Rust: guards inserted as text, and our runtime linked by a compiler wrapper; manifests and lock files stay unchanged.
 */
export default defineTracer({ languages: ["rust"], plan: planRustTrace });
