/** Runs the interpreter of the taint analysis over a few lines of code, for the tests of its parts. */
import { Interpreter } from '../../scan/taint/interpreter/interpreter.ts';
import type { Fact } from '../../scan/taint/api.ts';
import type { Module } from '../../scan/taint/ir.ts';
import { NOTHING, type Value } from '../../scan/taint/value.ts';
import { lowerJavaScriptText, lowerPythonText } from './ir-text.ts';

/** What the interpreter computed. */
export interface Interpreted {
  readonly interpreter: Interpreter;
  readonly facts: readonly Fact[];
  /** The value of an export. */
  readonly exported: (name: string) => Value;
}

/** Interprets JavaScript; `isLarge` as a bundle. */
export function interpretJavaScript(text: string, isLarge = false): Interpreted {
  return interpret({ ...lowerJavaScriptText(text), isLarge });
}

/** Interprets Python; every variable is an export. */
export function interpretPython(text: string, isLarge = false): Interpreted {
  return interpret({ ...lowerPythonText(text), isLarge });
}

/** The value of a JavaScript expression after the statements `before`. */
export function valueOf(expression: string, before = '', isLarge = false): Value {
  return interpretJavaScript(`${before}; export const x = ${expression};`, isLarge).exported('x');
}

/** The value of a Python expression after the statements `before`. */
export function pythonValueOf(expression: string, before = ''): Value {
  return interpretPython(`${before}\nx = ${expression}\n`).exported('x');
}

/** `action api operand` of each fact. */
export function factLines(facts: readonly Fact[]): string[] {
  return facts.map(({ action, api, operand }) => `${action} ${api} ${operand.texts.join('|')}`);
}

function interpret(module: Module): Interpreted {
  const interpreter = new Interpreter(() => undefined);
  interpreter.run([module]);
  return {
    interpreter,
    facts: [...interpreter.facts.values()].flatMap((known) => [...known.values()]),
    exported: (name) => module.exports.value?.objects[0]?.fields.get(name) ?? NOTHING,
  };
}
