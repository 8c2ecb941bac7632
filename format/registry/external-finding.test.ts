import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../errors.ts';
import { describeExternal, parseSarif, pathBelow } from './external-finding.ts';

function log(results: unknown, driver: object = { name: 'GuardDog', version: '3.2.0' }): Buffer {
  return Buffer.from(JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver }, results }] }));
}

function result(more: object = {}): object {
  return {
    ruleId: 'exec-base64',
    message: { text: 'Runs base64' },
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'src/a%20b.py' }, region: { startLine: 3 } } },
    ],
    ...more,
  };
}

describe('parseSarif()', () => {
  it('reads scanner, version, rule, place and message', () => {
    const [found] = parseSarif(log([result()]), 'x.sarif');
    expect(found).toEqual({
      level: 'warn',
      scanner: 'GuardDog',
      version: '3.2.0',
      rule: 'exec-base64',
      path: 'src/a b.py',
      line: 3,
      message: 'Runs base64',
    });
    expect(describeExternal(found!)).toBe('GuardDog 3.2.0 exec-base64: Runs base64');
  });

  it.each([
    ['error', 'warn'],
    ['warning', 'warn'],
    ['note', 'info'],
    ['none', 'info'],
    [undefined, 'warn'],
  ])('level %s is %s at most', (level, expected) => {
    expect(parseSarif(log([result({ level })]), 'x')[0]?.level).toBe(expected);
  });

  it.each([{ kind: 'pass' }, { suppressions: [{ kind: 'inSource' }] }])('leaves out %j', (more) => {
    expect(parseSarif(log([result(more)]), 'x')).toEqual([]);
  });

  it('makes messages one printable line', () => {
    const text = `a\u001B[31m\nb\u202E\u0000${'c'.repeat(10_000)}`;
    const [found] = parseSarif(log([result({ message: { text } })]), 'x');
    expect(found?.message).toMatch(/^a \[31m b c{200,300}\.\.\.$/);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"version":"2.0.0","runs":[]}',
    '{"version":"2.1.0","runs":[{}]}',
    '<html>',
    '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":3}}}]}',
  ])('refuses %j', (text) => {
    expect(() => parseSarif(Buffer.from(text), 'x.sarif')).toThrow(FormatError);
  });

  it('refuses a hundred megabytes, and reads a thousand findings at most', () => {
    expect(() => parseSarif(Buffer.alloc(100_000_000), 'x')).toThrow('at most');
    const many = Array.from({ length: 3000 }, () => result());
    expect(parseSarif(log(many), 'x')).toHaveLength(1000);
  });

  it('reads or refuses any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (results) => {
        let outcome: unknown;
        try {
          outcome = parseSarif(log(results), 'x');
        } catch (error) {
          outcome = error;
        }
        expect(Array.isArray(outcome) || outcome instanceof FormatError).toBe(true);
      }),
    );
  });
});

describe('pathBelow()', () => {
  it.each([
    ['src/a.py', 'src/a.py'],
    ['./src/../a.py', 'a.py'],
    ['/home/x/src/a.py', 'src/a.py'],
    ['file:///home/x/src/a.py', 'src/a.py'],
  ])('%s: %s', (path, expected) => {
    expect(pathBelow('/home/x', path)).toBe(expected);
  });

  it.each(['', '.', '../a', 'a/../../b', '/home/xy/a', '/etc/passwd', 'https://a.io/x', '/home/x'])(
    '%j is outside',
    (path) => {
      expect(pathBelow('/home/x', path)).toBeUndefined();
    },
  );

  it('never leaves the folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', ':', 'f') }), (path) => {
        const found = pathBelow('/home/x', path) ?? 'none';
        expect(found.split('/')).not.toContain('..');
        expect(found).not.toMatch(/^\//);
      }),
    );
  });
});
