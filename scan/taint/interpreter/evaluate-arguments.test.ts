import { describe, expect, it } from 'vitest';
import { interpretJavaScript, interpretPython } from '../../../tests/taint/interpret-code.ts';

function argumentTexts(text: string, isPython = false): string[] {
  const { facts } = isPython ? interpretPython(text) : interpretJavaScript(text);
  const [fact] = facts.filter((f) => f.action === 'spawn');
  return fact?.args.map((value) => value.texts.join('|')) ?? [];
}

const SPAWN = "const { spawn } = require('child_process');";

describe('evaluateArguments()', () => {
  it.each([
    ["spawn('a', 'b')", ['a', 'b']],
    ["spawn(...['a', 'b'], 'c')", ['a', 'b', 'c']],
    ["const l = []; l.push('a', 'b'); spawn(...l)", ['a|b']],
    ['spawn()', []],
  ])('%s', (text, texts) => {
    expect(argumentTexts(`${SPAWN} ${text}`)).toEqual(texts);
  });

  it('passes at most 100 elements of a spread list', () => {
    const list = Array.from({ length: 150 }, (_, n) => `'${n}'`).join();
    expect(argumentTexts(`${SPAWN} spawn(...[${list}])`)).toHaveLength(100);
  });

  it('takes keyword arguments by name, and the items of **arguments', () => {
    const { facts } = interpretPython("import subprocess\nsubprocess.run(args='a', cwd='b')");
    expect(facts.find((f) => f.action === 'spawn')?.operand.texts).toEqual(['a']);
    expect(argumentTexts("import os\nd = {'k': 'a'}\nos.system(**d)", true)).toEqual(['a']);
  });
});
