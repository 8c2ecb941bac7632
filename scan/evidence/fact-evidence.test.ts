import { describe, expect, it } from 'vitest';
import { testFacts } from '../test-build.ts';
import type { Fact } from '../taint/api.ts';
import { UNKNOWN } from '../taint/value.ts';
import {
  addressesOf,
  commandsOf,
  hostsOf,
  inlineCode,
  programOf,
  staysLocal,
  suspicionsOf,
  variablesOf,
} from './fact-evidence.ts';

function fact(code: string, action: Fact['action'], path?: string): Fact {
  const found = testFacts(code, path).find((one) => one.action === action);
  if (found === undefined) throw new Error(`${code} has no fact "${action}"`);
  return found;
}

describe('addressesOf(), hostsOf()', () => {
  it.each([
    ["fetch('https://a.com/x')", ['https://a.com/x'], ['a.com']],
    ["fetch('https://a.com/' + name)", [`https://a.com/${UNKNOWN}`], ['a.com']],
    ["require('https').request({ hostname: 'a.com', path: 'x' })", ['//a.com/x'], ['a.com']],
    ["require('http').get({ host: 'a.com' })", ['//a.com/'], ['a.com']],
    ["require('axios')({ baseURL: 'https://a.com', url: '/x' })", ['https://a.com/x'], ['a.com']],
    ["require('net').connect(99, 'a.com')", ['//a.com/'], ['a.com']],
    ['fetch(address)', [], []],
  ])('%s', (code, addresses, hosts) => {
    const sent = fact(code, 'send');
    expect(addressesOf(sent)).toEqual(expect.arrayContaining(addresses));
    expect(hostsOf(sent)).toEqual(hosts);
  });

  it('are computed once per fact', () => {
    const sent = fact("fetch('https://a.com/x')", 'send');
    expect(addressesOf(sent)).toBe(addressesOf(sent));
    expect(hostsOf(sent)).toBe(hostsOf(sent));
    expect(addressesOf({ ...sent })).not.toBe(addressesOf(sent));
  });
});

describe('staysLocal()', () => {
  it.each([
    ["fetch('http://localhost:3000/x')", true],
    ["fetch('http://10.0.0.1/x')", true],
    ["fetch('https://a.com')", false],
    ['fetch(address)', false],
    ["fetch(a ? 'http://localhost/' : 'https://a.com/')", false],
  ])('%s: %j', (code, isLocal) => {
    expect(staysLocal(fact(code, 'send'))).toBe(isLocal);
  });
});

describe('suspicionsOf()', () => {
  it.each([
    ["fetch('https://webhook.site/x')", ['beacon']],
    ["fetch('http://45.9.148.3/')", ['address']],
    ["fetch('https://a.com')", []],
    ['fetch(address)', []],
  ])('%s: %j', (code, kinds) => {
    expect(suspicionsOf(fact(code, 'send'))).toEqual(kinds);
  });
});

describe('commandsOf()', () => {
  it.each([
    ["require('child_process').exec('ls -l')", ['ls -l']],
    ["require('child_process').exec('ls ' + folder)", [`ls ${UNKNOWN}`]],
    ["require('child_process').spawn('git', ['log', '-1'])", ['git log -1']],
    ["require('child_process').spawn('git', ['log', name])", [`git log ${UNKNOWN}`]],
    ["require('child_process').execFile(program, ['-c', 'x'])", [`${UNKNOWN} -c x`]],
  ])('%s: %j', (code, commands) => {
    expect(commandsOf(fact(code, 'spawn'))).toEqual(commands);
  });

  it('joins the list of a Python command', () => {
    const run = fact("import subprocess\nsubprocess.run(['git', 'log'])", 'spawn', 'a.py');
    expect(commandsOf(run)).toEqual(['git log']);
  });
});

describe('programOf()', () => {
  it.each([
    ['a.js', "require('child_process').exec('git log')", ['git log']],
    ['a.js', "require('child_process').spawn('git', ['log'])", ['git']],
    ['a.py', "import subprocess\nsubprocess.run(['git', 'log'])", ['git']],
    ['a.py', "import subprocess\nsubprocess.run(['git'] + ['log', x])", ['git']],
  ])('%s: %s', (path, code, texts) => {
    expect(programOf(fact(code, 'spawn', path)).texts).toEqual(texts);
  });
});

describe('inlineCode()', () => {
  it.each([
    ["require('child_process').spawn('node', ['-e', 'code'])", ['code']],
    ["require('child_process').spawn('sh', ['-c', 'code'])", ['code']],
    ["require('child_process').spawn('powershell', ['-EncodedCommand', 'code'])", ['code']],
  ])('%s', (code, texts) => {
    expect(inlineCode(fact(code, 'spawn'))?.texts).toEqual(texts);
  });

  it.each([
    "require('child_process').spawn('node', ['a.js'])",
    "require('child_process').spawn('node', ['-e'])",
    "require('child_process').exec('node -e code')",
  ])('%s has none', (code) => {
    expect(inlineCode(fact(code, 'spawn'))).toBeUndefined();
  });
});

describe('variablesOf()', () => {
  it.each([
    ['use(process.env.HOME)', ['HOME']],
    ["use(process.env['A_B'])", ['A_B']],
    ['use(process.env[name])', ['*']],
    ["use(process.env['A ' + name])", ['*']],
    ["use(process.env['not a name'])", []],
  ])('%s: %j', (code, names) => {
    expect(variablesOf(fact(code, 'variable'))).toEqual(names);
  });
});
