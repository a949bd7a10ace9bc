/** Makes and measures one patch, without a second try: a baseline that shows the value of choosing among actions. */
import editCode from "../../src/actions/edit-code.ts";
import finish from "../../src/actions/finish.ts";
import { conclude, endWithout } from "../../src/agent/control/conclude.ts";
import { openSession } from "../../src/agent/control/open-session.ts";
import { beginWork, performAction } from "../../src/agent/control/perform-action.ts";
import { defineStrategy } from "../../src/agent/strategy.ts";

export default defineStrategy({
  name: "edit-once",
  description: "one patch, and no second try",
  kinds: ["repair"],
  needsModel: true,
  async run(context) {
    const session = await openSession(context);
    if (!session.ok) return endWithout(session.message);
    const { actionContext, state, close } = session.value;
    try {
      const work = beginWork(state);
      await performAction(actionContext, work, editCode, {
        intent: "Fix the fault that the statement reports.",
      });
      await performAction(actionContext, work, finish, { candidate: "c1" });
      return await conclude(actionContext, work.state, { kind: "ended", value: true, steps: 1 });
    } finally {
      await close();
    }
  },
});
