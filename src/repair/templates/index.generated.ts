// Written by scripts/generate-indexes.ts; do not edit.
import arithmeticOperator from "./arithmetic-operator.ts";
import booleanOperator from "./boolean-operator.ts";
import comparisonOperator from "./comparison-operator.ts";
import dropOperand from "./drop-operand.ts";
import integerLiteral from "./integer-literal.ts";
import negateCondition from "./negate-condition.ts";
import replaceVariable from "./replace-variable.ts";
import swapArguments from "./swap-arguments.ts";
import swapOperands from "./swap-operands.ts";

export const templates = [arithmeticOperator, booleanOperator, comparisonOperator, dropOperand, integerLiteral, negateCondition, replaceVariable, swapArguments, swapOperands] as const;
