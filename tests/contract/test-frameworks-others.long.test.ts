import { describeFrameworks } from "./describe-frameworks.ts";

await describeFrameworks("others");
