// Written by scripts/generate-indexes.ts; do not edit.
import attackSigns from "./attack-signs.ts";
import behaviour from "./behaviour.ts";
import carelessCode from "./careless-code.ts";
import editedTests from "./edited-tests.ts";
import form from "./form.ts";
import heldBack from "./held-back.ts";
import hiddenErrors from "./hidden-errors.ts";
import lostDefinitions from "./lost-definitions.ts";
import mutants from "./mutants.ts";
import reach from "./reach.ts";
import specialCases from "./special-cases.ts";
import unchangedTwins from "./unchanged-twins.ts";
import weakTests from "./weak-tests.ts";

export const checks = [attackSigns, behaviour, carelessCode, editedTests, form, heldBack, hiddenErrors, lostDefinitions, mutants, reach, specialCases, unchangedTwins, weakTests] as const;
