import { defineReviewCheck } from "../contract.ts";
import { twinsOf } from "../twins/twins-of.ts";
import { tellTwin } from "../twins/unchanged-twins.ts";

export default defineReviewCheck({
  name: "unchanged-twins",
  description: "Finds unchanged places whose code equals the code that the patch changes.",
  async run(context, _, candidate) {
    const twins = await twinsOf(context, candidate);
    if (!twins.ok) return [{ weight: "objection", text: twins.message }];
    return twins.value.map((twin) => ({ weight: "doubt", text: `${tellTwin(twin)}.` }));
  },
});
