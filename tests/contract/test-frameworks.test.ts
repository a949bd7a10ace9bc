import { describeFrameworks } from "./describe-frameworks.ts";

await describeFrameworks("everyday");
