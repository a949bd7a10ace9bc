/**
 * Attacks on verdicts by an author who had not seen the checks: the tricks of an engineer who only wants the verdict.
 */

import { besideAttempts } from "./walls-outside-beside.ts";
import { buildAttempts } from "./walls-outside-builds.ts";
import { compiledAttempts } from "./walls-outside-compiled.ts";
import { deliveredAttempts } from "./walls-outside-delivered.ts";
import { evasionAttempts } from "./walls-outside-evasions.ts";
import { faithAttempts } from "./walls-outside-faith.ts";
import { featuresInAllLanguages } from "./walls-outside-features.ts";
import { freshAttempts } from "./walls-outside-fresh.ts";
import { hiddenAttempts } from "./walls-outside-hidden.ts";
import { javascriptAttempts } from "./walls-outside-javascript.ts";
import { generatedInOtherLanguages } from "./walls-outside-kinds.ts";
import { mavenAttempts } from "./walls-outside-maven.ts";
import { optionAttempts } from "./walls-outside-options.ts";
import { ordinaryAttempts } from "./walls-outside-ordinary.ts";
import { otherEvasions } from "./walls-outside-others.ts";
import { pytestAttempts } from "./walls-outside-pytest.ts";
import { pythonAttempts } from "./walls-outside-python.ts";
import { scriptAttempts } from "./walls-outside-scripts.ts";
import { searchAttempts } from "./walls-outside-search.ts";
import { unreadAttempts } from "./walls-outside-unread.ts";
import { weakAttempts } from "./walls-outside-weak.ts";
import { weakenedAttempts } from "./walls-outside-weakened.ts";
import { writtenAttempts } from "./walls-outside-written.ts";
import { writtenInOtherLanguages } from "./walls-outside-written-more.ts";
import type { ForgingRun } from "./walls-runs.ts";

export function outsideAttempts(): ForgingRun[] {
  return [
    ...freshAttempts(),
    ...faithAttempts(),
    ...pytestAttempts(),
    ...pythonAttempts(),
    ...javascriptAttempts(),
    ...compiledAttempts(),
    ...mavenAttempts(),
    ...searchAttempts(),
    ...evasionAttempts(),
    ...otherEvasions(),
    ...unreadAttempts(),
    ...buildAttempts(),
    ...writtenAttempts(),
    ...writtenInOtherLanguages(),
    ...generatedInOtherLanguages(),
    ...featuresInAllLanguages(),
    ...deliveredAttempts(),
    ...hiddenAttempts(),
    ...besideAttempts(),
    ...weakAttempts(),
    ...weakenedAttempts(),
    ...ordinaryAttempts(),
    ...scriptAttempts(),
    ...optionAttempts(),
  ];
}
