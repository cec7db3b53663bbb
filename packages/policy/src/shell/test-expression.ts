import type { TestExpression, Word } from "unbash";
import { expandWhole } from "./expand.ts";
import { literalText, originOf, type ShellWord } from "./shell-word.ts";
import type { State } from "./state.ts";
import type { Walk } from "./walk.ts";

const fileTests = /^-[abcdefghkprstuwxGLNOSnz]$/;
const comparisons = new Set(["=", "==", "!=", "=~", "<", ">", "-nt", "-ot", "-ef"]);
const arithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** `[[ … ]]`: what is compared as a number is evaluated as arithmetic, and can run commands. */
export function evaluateTest(expression: TestExpression, state: State, walk: Walk): void {
  const expand = (word: Word): ShellWord => expandWhole(word, { walk, state });
  const refuse = (operator: string): void =>
    walk.reportKind("opaque", `[[ ${operator}`, "this kind of test can run commands");
  switch (expression.type) {
    case "TestUnary":
      expand(expression.operand);
      if (!fileTests.test(expression.operator)) refuse(expression.operator);
      return;
    case "TestBinary": {
      const words = [expand(expression.left), expand(expression.right)];
      if (comparisons.has(expression.operator)) return;
      const isPlain = arithmetic.test(expression.operator) && words.every(isNumber);
      if (!isPlain) refuse(expression.operator);
      return;
    }
    case "TestLogical":
      for (const operand of expression.operands) evaluateTest(operand, state, walk);
      return;
    case "TestNot":
      evaluateTest(expression.operand, state, walk);
      return;
    case "TestGroup":
      evaluateTest(expression.expression, state, walk);
      return;
    default:
      refuse("");
  }
}

function isNumber(word: ShellWord): boolean {
  return /^-?\d+$/.test(literalText(word) ?? "") || originOf(word) === "number";
}
