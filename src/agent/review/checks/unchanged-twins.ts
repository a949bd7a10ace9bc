import { defineReviewCheck } from "../contract.ts";
import { tellTwin, twinsOf } from "../unchanged-twins.ts";

export default defineReviewCheck({
  name: "unchanged-twins",
  description:
    "Finds places that equal the code which the patch replaces, and that the patch leaves unchanged.",
  async run(context, _, candidate) {
    const twins = await twinsOf(context, candidate);
    return twins.map((twin) => ({ weight: "doubt", text: `${tellTwin(twin)}.` }));
  },
});
