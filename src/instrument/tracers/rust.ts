import { planRustTrace } from "../rust-trace/plan.ts";
import { defineTracer } from "../tracer.ts";

/** Rust: guards inserted as text, our runtime linked by a wrapper of the compiler; manifests and lock files stay as they are. */
export default defineTracer({ languages: ["rust"], plan: planRustTrace });
