import { describe, expect, it } from 'vitest';
import { CREDENTIAL, FILE, TOOL_TOKEN } from './label.ts';
import { TOOL_FOLDER, credentialKind, isNotable, labelOfPath, toolToken } from './secret-paths.ts';

describe('credentialKind()', () => {
  it.each([
    ['/home/a/.ssh/id_rsa', 'SSH keys'],
    ['~/.ssh', 'SSH keys'],
    ['~/.ssh/*', 'SSH keys'],
    ['~/.ssh/\u0000', 'SSH keys'],
    ['keys/id_ed25519', 'SSH keys'],
    ['/etc/shadow', 'password hashes'],
    ['C:\\Users\\a\\AppData\\Google\\Chrome\\User Data\\Default\\Login Data', 'browser logins'],
    ['.config/BraveSoftware/Brave-Browser/x', 'browser logins'],
    ['~/.mozilla/x/logins.json', 'browser logins'],
    ['~/.mozilla/x/key4.db', 'browser logins'],
    ['~/.bitcoin/wallet.dat', 'wallets'],
    ['AppData/Roaming/Exodus/exodus.wallet', 'wallets'],
    ['~/.config/solana/id.json', 'wallets'],
    ['x/NKBIHFBEOGAEAOEHLEFNKODBEFGPGKNN', 'wallets'],
    ['discord/Local Storage/leveldb', 'messenger tokens'],
    ['Telegram Desktop\\tdata', 'messenger tokens'],
    ['~/.minecraft/launcher_accounts.json', 'game sessions'],
    ['~/Library/Keychains/login.keychain-db', 'keychains'],
    ['~/.gnupg', 'keychains'],
  ])('%s holds %s', (path, kind) => {
    expect(credentialKind(path)).toBe(kind);
  });

  it.each([
    '/home/a/.ssh/known_hosts',
    'id_rsa.pub',
    'src/shadow.ts',
    '/etc/passwd',
    'cookies.ts',
    'docs/wallets.md',
    'library/keychains',
    'loginxkeychain',
    '',
  ])('%j holds none', (path) => {
    expect(credentialKind(path)).toBeUndefined();
  });

  it('is bounded on long texts', () => {
    expect(credentialKind(`${'a/'.repeat(300)}.ssh/id_rsa`)).toBeUndefined();
  });
});

describe('toolToken()', () => {
  it.each([
    ['~/.npmrc', 'npm token', 'www.npmjs.org'],
    ['~/.pypirc', 'PyPI token', 'upload.pypi.org'],
    ['~/.aws/credentials', 'AWS credentials', 'sts.amazonaws.com'],
    ['~/.config/gcloud/credentials.db', 'Google credentials', 'oauth2.googleapis.com'],
    ['x/application_default_credentials.json', 'Google credentials', 'google.com'],
    ['~/.azure/accessTokens.json', 'Azure credentials', 'login.microsoftonline.com'],
    ['~/.kube/config', 'Kubernetes credentials', 'kubernetes.default'],
    ['~/.docker/config.json', 'Docker credentials', 'ghcr.io'],
    ['~/.netrc', 'Git credentials', 'github.com'],
  ])('%s is the %s, which goes to %s', (path, kind, host) => {
    expect(toolToken(path)?.kind).toBe(kind);
    expect(toolToken(path)?.hosts.test(host)).toBe(true);
    expect(toolToken(path)?.hosts.test('evil.example')).toBe(false);
  });

  it.each(['.env', '/app/.env', '.env.local', '.env.production'])(
    '%s belongs to no host',
    (path) => {
      expect(toolToken(path)?.kind).toBe('environment file');
      expect(toolToken(path)?.hosts.test('localhost')).toBe(false);
    },
  );

  it.each(['.env.example', 'npmrc', 'aws/credentials', 'docker/config.json'])(
    '%s is none',
    (path) => {
      expect(toolToken(path)).toBeUndefined();
    },
  );
});

describe('labelOfPath()', () => {
  it.each([
    [[''], FILE],
    [['a.txt'], FILE],
    [[], FILE],
    [['a.txt', '~/.npmrc'], TOOL_TOKEN],
    [['~/.ssh/id_rsa', '~/.npmrc'], CREDENTIAL],
  ])('%j', (paths, label) => {
    expect(labelOfPath(paths)).toBe(label);
  });
});

describe('TOOL_FOLDER', () => {
  it('matches whole folders only', () => {
    const paths = ['~/.aws', '~/.aws/', '~/.config/gcloud', '~/.aws/config', 'x.aws'];
    expect(paths.map((path) => TOOL_FOLDER.test(path))).toEqual([true, true, true, false, false]);
  });
});

describe('isNotable()', () => {
  it.each([
    '~/.ssh/id_rsa',
    '/ETC/SHADOW',
    '~/.kube',
    'https://discord.com/api/webhooks/1/a',
    'https://api.telegram.org/bot1:a/sendMessage',
    'stratum+tcp://pool:1',
    'x.oast.fun',
    'https://webhook.site/a',
  ])('%s', (text) => {
    expect(isNotable(text)).toBe(true);
  });

  it.each(['abc', 'https://discord.com/a', 'roasted', '~/.KUBE', `/etc/shadow${'a'.repeat(400)}`])(
    'not %s',
    (text) => {
      expect(isNotable(text)).toBe(false);
    },
  );
});
