import { describe, expect, it } from 'vitest';
import {
  factLines,
  interpretJavaScript,
  pythonValueOf,
  valueOf,
} from '../../../tests/taint/interpret-code.ts';
import { ENVIRONMENT, FETCHED } from '../label.ts';
import { itemsOf } from '../value.ts';

describe('callMethod()', () => {
  it.each([
    ["'a,b'.split(',').reverse().join('-')", ['b-a']],
    ["'abc'.split('').reverse().join('')", ['cba']],
    ["['a', 'b'].join()", ['a,b']],
    ["'ABC'.toLowerCase().slice(1)", ['bc']],
    ["'a'.concat('b', 'c')", ['abc']],
    ["'axb'.replace('x', '-')", ['a-b']],
    ["Buffer.from('ab').toString()", ['ab']],
    ["Buffer.from('ab').toString('base64')", []],
    ["'abc'.indexOf('b')", []],
    ["'abc'.startsWith('a')", []],
    ["['a', 'b'].pop()", ['a', 'b']],
    ["new Map([]).get('a')", []],
    ["Promise.resolve('a').then((x) => x + 'b')", ['ab']],
    ["Promise.resolve('a').finally(f)", ['a']],
    ["((x) => x + 'b').call(null, 'a')", ['ab']],
    ["((x, y) => x + y).apply(null, ['a', 'b'])", ['ab']],
    ["['a', 'b'].reduce((x, y) => y, 'c')", ['a', 'b', 'c']],
  ])('%s is %j', (expression, texts) => {
    expect(valueOf(expression).texts).toEqual(texts);
  });

  it.each([
    ["'-'.join(['a', 'b'])", ['a-b']],
    ["'a,b'.split(',')[1]", ['b']],
    ["'Ab'.upper()", ['AB']],
  ])('Python: %s is %j', (expression, texts) => {
    expect(pythonValueOf(expression).texts).toEqual(texts);
  });

  it.each([
    ["const a = []; a.push('1', '2')", 'a', ['1', '2']],
    ["const a = []; a.unshift('1')", 'a', ['1']],
  ])('adds to a container: %s', (before, expression, texts) => {
    expect(itemsOf(valueOf(expression, before)).texts).toEqual(texts);
  });

  it('stores under a constant key', () => {
    const before = "const a = {}; a.set('k', 'v'); a.set('l', 'w')";
    expect(valueOf("a.get('k')", before).texts).toEqual(['v']);
  });

  it('calls the callbacks of lists with their items', () => {
    expect(itemsOf(valueOf("['a', 'b'].map((x) => x + '1')")).texts).toEqual(['a1', 'b1']);
    const { facts } = interpretJavaScript("['a()', 'b()'].map(eval)");
    expect(factLines(facts)).toEqual(['execute eval a()|b()']);
  });

  it('calls an API that is a callback of a promise', () => {
    const { facts } = interpretJavaScript("fetch('http://a.io').then((r) => r.text()).then(eval)");
    const [executed] = facts.filter((f) => f.action === 'execute');
    expect(executed?.operand.labels).toBe(FETCHED);
  });

  it('binds a function without a call of it', () => {
    const { facts } = interpretJavaScript("eval.bind(null); const e = eval.bind(null); e('a()')");
    expect(factLines(facts)).toEqual(['execute eval a()']);
  });

  it.each([
    ["require('fs').createWriteStream('a')", 'write $file.pipe a'],
    ["require('net').connect('a')", 'send $socket.pipe a'],
    ["require('child_process').spawn('a').stdin", 'feed $child.stdin.pipe a'],
  ])('records what is piped into %s', (into, fact) => {
    const text = `require('fs').createReadStream(process.env.A).pipe(${into})`;
    const { facts } = interpretJavaScript(text);
    expect(factLines(facts)).toContain(fact);
  });

  it('keeps labels, but not through a comparison', () => {
    expect(valueOf('JSON.stringify(process.env).toString()').labels).toBe(ENVIRONMENT);
    expect(valueOf('JSON.stringify(process.env).includes("a")').labels).toBe(0);
  });

  it('does not split into more than 2,000 parts', () => {
    expect(valueOf(`'${'a,'.repeat(3_000)}'.split(',')`).objects).toEqual([]);
  });
});
