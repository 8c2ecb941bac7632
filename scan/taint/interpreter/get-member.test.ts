import { describe, expect, it } from 'vitest';
import {
  factLines,
  interpretJavaScript,
  interpretPython,
  pythonValueOf,
  valueOf,
} from '../../../tests/taint/interpret-code.ts';
import { ENVIRONMENT, VARIABLE } from '../label.ts';

describe('getMember()', () => {
  it.each([
    ["({ a: { b: '1' } }).a.b", ['1']],
    ["({ a: '1', b: '2' })['a']", ['1']],
    ["({ a: '1' }).c", []],
    ["['a', 'b'][1]", ['b']],
    ["['a', 'b'][f()]", ['a', 'b']],
    ["'abc'[1]", ['b']],
    ["'abc'.length", []],
  ])('%s', (expression, texts) => {
    expect(valueOf(expression).texts).toEqual(texts);
  });

  it('reveals nothing through a length', () => {
    expect(valueOf('JSON.stringify(process.env).length').labels).toBe(0);
    expect(valueOf('JSON.stringify(process.env).size').labels).not.toBe(0);
  });

  it('extends the names of APIs', () => {
    expect(valueOf("require('child_process')['exec' + 'Sync']").names).toEqual([
      'child_process.execSync',
    ]);
    expect(valueOf("require('child_process')[f()]").names).toEqual([]);
  });

  it('reads one environment variable', () => {
    const value = valueOf('process.env.TOKEN');
    expect(value.labels).toBe(VARIABLE);
    expect(value.origins[0]?.what).toBe('process.env.TOKEN');
    expect(valueOf('process.env[f()]').origins[0]?.what).toBe('process.env[...]');
    const { facts } = interpretJavaScript('process.env.TOKEN');
    expect(factLines(facts)).toEqual(['variable process.env TOKEN']);
  });

  it('reads the whole environment', () => {
    expect(pythonValueOf('os.environ.copy()', 'import os').labels & ENVIRONMENT).toBe(ENVIRONMENT);
    expect(pythonValueOf('os.environ.copy', 'import os').labels).toBe(ENVIRONMENT);
    expect(pythonValueOf('os.environ.get', 'import os').labels).toBe(0);
    const { facts } = interpretPython('import os\nos.environ.copy()');
    expect(facts).toEqual([]);
  });

  it('keeps the operand of a process in its streams', () => {
    const { facts } = interpretJavaScript("require('child_process').spawn('sh').stdin.write('id')");
    expect(factLines(facts)).toContain('feed $child.stdin.write sh');
  });
});
