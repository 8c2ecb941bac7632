import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RegistryHeaders } from './registry-headers.ts';

const SECRET = 's3cr3t-t0k3n';

describe('RegistryHeaders', () => {
  test('returns the headers of each origin, and none for others', () => {
    const headers = new RegistryHeaders(
      `https://a.example Authorization: Bearer ${SECRET}\r\n\n  https://a.example:8443   X-Key:  k v \nhttps://a.example x-two: 2\nhttp://127.0.0.1:80 x: y`,
    );
    expect(headers.of('https://a.example')).toEqual({
      authorization: `Bearer ${SECRET}`,
      'x-two': '2',
    });
    expect(headers.of('https://a.example:8443')).toEqual({ 'x-key': 'k v' });
    expect(headers.of('http://127.0.0.1')).toEqual({ x: 'y' });
    for (const other of ['https://b.example', 'http://a.example', 'https://a.example.evil', '']) {
      expect(headers.of(other)).toEqual({});
    }
  });

  test.each([
    ['https://a.example', 'three parts'],
    [`Authorization: ${SECRET}`, 'three parts'],
    [`Authorization: Bearer ${SECRET}: x`, 'https address'],
    [`http://a.example Authorization: ${SECRET}`, 'https address'],
    [`https://a.example/path Authorization: ${SECRET}`, 'more than scheme'],
    [`https://u:${SECRET}@a.example Authorization: x`, 'more than scheme'],
    [`https://a.example Authorization ${SECRET}`, 'three parts'],
    [`https://a.example Bad Name: ${SECRET}`, 'not a header name'],
    [`https://a.example : ${SECRET}`, 'not a header name'],
    [`https://a.example Host: ${SECRET}`, 'may not be set'],
    [`https://a.example If-None-Match: ${SECRET}`, 'may not be set'],
    [`https://a.example Content-Length: ${SECRET}`, 'may not be set'],
    ['https://a.example Authorization:', 'the value'],
    [`https://a.example Authorization: ${SECRET}\u{0}`, 'the value'],
    [`https://a.example Authorization: ${SECRET}\u{E9}`, 'the value'],
  ])('refuses %j and quotes nothing of it', (line, problem) => {
    const read = () => new RegistryHeaders(`\n${line}`);
    expect(read).toThrow(expect.objectContaining({ code: 'ERR_USAGE' }));
    expect(read).toThrow(`line 2: `);
    expect(read).toThrow(problem);
    expect(read).not.toThrow(SECRET);
  });

  test('refuses a value without end', () => {
    const line = `https://a.example Authorization: ${SECRET.repeat(1000)}`;
    expect(() => new RegistryHeaders(line)).toThrow('the value must be 1 to 8192');
  });

  test('is shown by nothing that prints objects', () => {
    const headers = new RegistryHeaders(`https://a.example Authorization: ${SECRET}`);
    const shown = inspect(headers, { depth: 9, showHidden: true }) + JSON.stringify(headers);
    expect(shown).not.toContain(SECRET);
  });

  test('reads or refuses any text', () => {
    const part = fc.oneof(
      fc.constantFrom('https://a.example', 'http://localhost', 'Authorization', ':', ' ', '\n'),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        try {
          const given = new RegistryHeaders(parts.join('')).of('https://a.example');
          for (const [name, value] of Object.entries(given)) {
            expect(() => new Headers([[name, value]])).not.toThrow();
          }
        } catch (error) {
          expect(error).toMatchObject({ code: 'ERR_USAGE' });
        }
      }),
    );
  });
});
