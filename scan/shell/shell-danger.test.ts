import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressIn, inlineTraits, isKnownInstaller, namesSecretPlace } from './shell-danger.ts';

describe('isKnownInstaller()', () => {
  it.each([
    'https://sh.rustup.rs',
    'sh.rustup.rs',
    'https://get.docker.com/',
    'https://bun.sh/install',
    'https://fly.io/install.sh',
    'https://ollama.com/install.sh?x=1',
    'https://raw.githubusercontent.com/nvm-sh/nvm/v0.40.0/install.sh',
  ])('%s is one', (url) => {
    expect(isKnownInstaller(url)).toBe(true);
  });

  it.each([
    'http://sh.rustup.rs',
    'https://sh.rustup.rs.evil.com/x',
    'https://get.docker.community/x',
    'https://fly.io/installer-of-a-stranger',
    'https://raw.githubusercontent.com/nvm-sh-evil/nvm/install.sh',
    'https://evil.com/https://sh.rustup.rs',
    'https://get.docker.com\\@evil.com/',
    '',
  ])('%s is none', (url) => {
    expect(isKnownInstaller(url)).toBe(false);
  });
});

describe('addressIn()', () => {
  it.each([
    [['-s', 'https://a.com/x'], 'https://a.com/x'],
    [['-o', 'out', 'ftp://a.com'], 'ftp://a.com'],
    [['a.com/x', 'https://b.com'], 'https://b.com'],
    [['a.com:8080'], 'a.com:8080'],
    [['--url=https:/a.com'], 'https:/a.com'],
    [['-T', 'a.tar', 'a.com'], 'a.com'],
    [['45.9.148.3/x'], '45.9.148.3/x'],
    [['-a.com'], ''],
    [['out.txt.'], ''],
    [['localhost'], ''],
    [[], ''],
  ])('%j: %s', (texts, address) => {
    expect(addressIn(texts)).toBe(address);
  });
});

describe('namesSecretPlace()', () => {
  it.each([
    '~/.ssh/id_rsa',
    '$HOME/.aws/credentials',
    '@.npmrc',
    '--data=.env',
    '.env',
    '.env.production',
    '~/.docker/config.json',
    '/home/a/.config/gcloud/x',
    '~/.bash_history',
    'id_ed25519',
    '/etc/passwd',
    'wallet.dat',
    'Login Data',
    'credentials.json',
    'C:\\Users\\a\\.kube',
  ])('%s is one', (text) => {
    expect(namesSecretPlace(text)).toBe(true);
  });

  it.each([
    '.env.example',
    '.env.sample',
    'envrc-docs',
    'id_rsa.pub',
    'id_ed25519.old.pub',
    '/etc/hosts',
    'package.json',
    'src/wallet.ts',
    'https://a.com/aws',
    '',
  ])('%j is none', (text) => {
    expect(namesSecretPlace(text)).toBe(false);
  });

  it('is bounded', () => {
    expect(namesSecretPlace(`${'/'.repeat(1_000_000)}.ssh`)).toBe(false);
  });
});

describe('inlineTraits()', () => {
  it.each([
    ["require('https').get(x)", 'network'],
    ['fetch(x)', 'network'],
    ['urllib.request.urlopen(x)', 'network'],
    ['new XMLHttpRequest()', 'network'],
    ['fsockopen("a.com", 80)', 'network'],
    ["require('child_process')", 'execution'],
    ['eval(x)', 'execution'],
    ['os.system("x")', 'execution'],
    ['new Function(x)', 'execution'],
    ['__import__("x")', 'execution'],
    ['atob(x)', 'hiding'],
    ["Buffer.from(x, 'base64')", 'hiding'],
    ['String.fromCharCode(1)', 'hiding'],
    ['"\\x61\\x61\\x61\\x61\\x61\\x61"', 'hiding'],
    ['A'.repeat(120), 'hiding'],
  ])('%s: %s', (code, trait) => {
    const traits = inlineTraits(code);
    expect(Object.entries(traits).filter(([, is]) => is)).toEqual([[trait, true]]);
  });

  it.each([
    "console.log(require('./package.json').version)",
    "require('fs').mkdirSync('dist')",
    'prefetch',
    'executor',
    'print(1)',
    'A'.repeat(119),
    '',
  ])('%s has none', (code) => {
    expect(inlineTraits(code)).toEqual({ network: false, execution: false, hiding: false });
  });

  it('never throws, for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(Object.values(inlineTraits(text))).toHaveLength(3);
      }),
    );
  });
});
