import { expect, test } from "vitest";
import { actions } from "../../actions/index.generated.ts";
import { type Action, describeAction } from "../../agent/action.ts";
import { publishedActions } from "./published-actions.ts";

test.each<[string, Action]>([...actions, ...publishedActions].map((action) => [action.name, action]))(
  "models see one filled-in example of %s, which its schema accepts",
  (_, action) => {
    expect(action.input.safeParse(action.example).error).toBeUndefined();
    expect(describeAction(action)).toContain(` Example: {"`);
  },
);
