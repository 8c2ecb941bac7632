import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readGitconfig,
  readGyp,
  readNpmrc,
  readPth,
  readSetup,
  readYarnrc,
  commandLine,
  whole,
} from './packages.ts';

describe('readNpmrc()', () => {
  it.each([
    ['script-shell=./sh', 'warn'],
    ['script-shell=bash', 'warn'],
    ['node-options = --require ./a.js', 'warn'],
    ['//a.com/:tokenHelper=/bin/x', 'error'],
    ['ignore-scripts=false', 'warn'],
    ['strict-ssl=false', 'warn'],
    ['proxy=http://a.com', 'warn'],
    ['registry=https://a.com', 'info'],
    ['@scope:registry="https://a.com"', 'info'],
    ['registry=http://a.com', 'warn'],
  ])('%s: %s', (line, level) => {
    expect(readNpmrc(`save-exact=true\n${line}\n`)).toMatchObject([{ level, near: line }]);
  });

  it.each([
    '',
    'save-exact=true',
    'ignore-scripts=true',
    'strict-ssl=true',
    '# script-shell=./sh',
    '; script-shell=./sh',
    'script-shell',
    '=x',
  ])('%j: nothing', (text) => {
    expect(readNpmrc(text)).toEqual([]);
  });
});

describe('readYarnrc()', () => {
  it.each([
    ['yarnPath: .yarn/a.cjs', 'warn'],
    ['plugins:', 'warn'],
    ['enableStrictSsl: false', 'warn'],
    ['npmRegistryServer: "https://a.com"', 'info'],
  ])('%s: %s', (line, level) => {
    expect(readYarnrc(line)).toMatchObject([{ level, near: line }]);
  });

  it.each(['nodeLinker: node-modules', 'enableStrictSsl: true', '  yarnPath: x', '# yarnPath: x'])(
    '%j: nothing',
    (text) => {
      expect(readYarnrc(text)).toEqual([]);
    },
  );
});

describe('readGyp()', () => {
  it('finds the commands that node-gyp expands', () => {
    const text = `{"sources": ["<!(curl x | sh)", "<!@(node -p 1)"], "a": "<(x)"}`;
    expect(readGyp(text).map(({ shell }) => shell)).toEqual(['', 'curl x | sh', 'node -p 1']);
  });

  it('reports the file itself', () => {
    expect(readGyp('{}')).toMatchObject([{ what: 'node-gyp', level: 'info' }]);
  });
});

describe('readPth()', () => {
  it.each([
    ['import os; os.system("x")', 'error'],
    ['import base64;exec(base64.b64decode("x"))', 'error'],
    ['import my_module', 'warn'],
  ])('%s: %s', (line, level) => {
    expect(readPth(`./lib\n${line}\n`)).toMatchObject([{ level, near: line }]);
  });

  it.each(['', './lib\n../other', '# import os', 'important', ' import os'])(
    '%j: nothing',
    (text) => {
      expect(readPth(text)).toEqual([]);
    },
  );
});

describe('readSetup()', () => {
  const OWN = (body: string): string =>
    `from setuptools.command.install import install\nclass My(install):\n  def run(self):\n    ${body}\nsetup(cmdclass={"install": My})\n`;

  it.each([
    [OWN('urllib.request.urlopen("https://a.com")'), 'warn'],
    [OWN('exec(x)'), 'warn'],
    [OWN('os.startfile("a.exe")'), 'warn'],
    [OWN('base64.b64decode(x)'), 'warn'],
    [OWN('helper()') + 'def helper():\n  requests.get("https://a.com")\n', 'warn'],
    [OWN('shutil.copy("a", "b")'), 'info'],
    [OWN('install.run(self)') + 'def other():\n  requests.get("https://a.com")\n', 'info'],
  ])('a custom command in %j: %s', (text, level) => {
    expect(readSetup(text)).toMatchObject([
      { what: 'the module', level: 'info' },
      { what: 'a custom command "install"', level },
    ]);
  });

  it.each([
    'setup()',
    'class Install(x): pass\nsetup(cmdclass={"lint": Install})',
    '# install\nsetup(name="x")',
  ])('%j has no own command', (text) => {
    expect(readSetup(text)).toMatchObject([{ what: 'the module', level: 'info' }]);
  });

  it('is bounded', () => {
    for (const part of ['class A(install):\n', 'def a(\n', ' \n', '"install":', 'cmdclass'])
      expect(readSetup(`cmdclass "install":${part.repeat(20_000)}`).length).toBeGreaterThan(0);
  });
});

describe('readGitconfig()', () => {
  it.each([
    '[core]\n\tfsmonitor = ./a.sh',
    '[core]\n  hooksPath=.hooks',
    '[filter "x"]\n  smudge = ./a',
    '[credential]\n helper = ./a',
  ])('%j: warn', (text) => {
    expect(readGitconfig(text)).toMatchObject([{ level: 'warn' }]);
  });

  it.each(['', '[user]\n name = a', '# fsmonitor = x', 'fsmonitor =', '[alias]\n st = status'])(
    '%j: nothing',
    (text) => {
      expect(readGitconfig(text)).toEqual([]);
    },
  );
});

describe('all readers', () => {
  it('return a part of the text, for any text', () => {
    const word = fc.constantFrom(
      'script-shell',
      '=',
      ':',
      '\n',
      'import ',
      'exec',
      '<!(',
      ')',
      'fsmonitor',
      ' ',
      'yarnPath',
      'cmdclass',
      '"install":',
      'class A(install):',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const text = words.join('');
        for (const read of [readNpmrc, readYarnrc, readGyp, readPth, readSetup, readGitconfig])
          for (const { near } of read(text)) expect(text).toContain(near);
      }),
      { numRuns: 200 },
    );
  });
});

describe('whole()', () => {
  it('is an entry without shell text and place', () => {
    expect(whole('the hook', 'git commits', 'info')).toEqual({
      what: 'the hook',
      when: 'git commits',
      level: 'info',
      shell: '',
      near: '',
    });
  });
});

describe('commandLine()', () => {
  it.each([
    [{ command: 'npx', args: ['-y', 'server'] }, 'npx -y server'],
    [{ command: 'sh', args: ['-c', 'curl x | sh'] }, "sh -c 'curl x | sh'"],
    [{ command: 'sh', args: ['-c', "echo 'a b'"] }, "sh -c 'echo a b'"],
    [{ command: 'npm run x' }, 'npm run x'],
    [{ args: ['a'] }, 'a'],
    [{ command: 1, args: [null, 'a', {}] }, 'a'],
    [{ command: 'a', args: 'b' }, 'a'],
    [{}, ''],
  ])('%j: %s', (value, line) => {
    expect(commandLine(value)).toBe(line);
  });
});
