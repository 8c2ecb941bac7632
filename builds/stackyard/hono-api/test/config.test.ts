import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, loadConfig, loadEnvFile } from '../src/config.js';

test('loadConfig() has a default for everything', () => {
  expect(loadConfig({})).toEqual({
    NODE_ENV: 'production',
    PORT: 3000,
    LOG_LEVEL: 'info',
    BODY_LIMIT: 102_400,
    TRUST_PROXY: 0,
    CORS_ORIGINS: [],
    CORS_CREDENTIALS: false,
    DOCS: false,
    SHUTDOWN_DELAY_MS: 0,
    SHUTDOWN_TIMEOUT_MS: 10_000,
    KEEP_ALIVE_TIMEOUT_MS: 65_000,
    HEADERS_TIMEOUT_MS: 60_000,
    REQUEST_TIMEOUT_MS: 300_000,
  });
});

test('loadConfig() takes an empty value for an absent one', () => {
  expect(loadConfig({ PORT: '', HOST: ' ', CORS_ORIGINS: '' })).toEqual(loadConfig({}));
});

test('loadConfig() reads numbers and lists', () => {
  const config = loadConfig({ PORT: '8080', CORS_ORIGINS: 'https://app.example, http://localhost:5173' });
  expect(config).toMatchObject({
    PORT: 8080,
    CORS_ORIGINS: ['https://app.example', 'http://localhost:5173'],
  });
});

test.each([
  ['10b', 10],
  ['100KB', 102_400],
  ['1.5mb', 1_572_864],
  ['1gb', 1_073_741_824],
])('loadConfig() reads BODY_LIMIT=%s as %d bytes', (text, bytes) => {
  expect(loadConfig({ BODY_LIMIT: text }).BODY_LIMIT).toBe(bytes);
});

test.each([
  [{}, false],
  [{ NODE_ENV: 'development' }, true],
  [{ NODE_ENV: 'development', DOCS: 'off' }, false],
  [{ NODE_ENV: 'production', DOCS: 'on' }, true],
])('loadConfig(%j) has DOCS %j', (env, expected) => {
  expect(loadConfig(env).DOCS).toBe(expected);
});

test('loadConfig() takes a time of 0 for no limit', () => {
  expect(loadConfig({ HEADERS_TIMEOUT_MS: '5000', REQUEST_TIMEOUT_MS: '0' }).REQUEST_TIMEOUT_MS).toBe(0);
});

test.each([
  ['NODE_ENV', 'prod'],
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['LOG_LEVEL', 'loud'],
  ['BODY_LIMIT', 'much'],
  ['TRUST_PROXY', 'true'],
  ['SHUTDOWN_TIMEOUT_MS', '-1'],
  ['KEEP_ALIVE_TIMEOUT_MS', '5s'],
  ['HEADERS_TIMEOUT_MS', '300001'],
  ['REQUEST_TIMEOUT_MS', '2147483648'],
  ['DOCS', 'maybe'],
  ['CORS_CREDENTIALS', 'include'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'https://app.example/'],
])('loadConfig() refuses %s=%s', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(ConfigError);
});

test('loadConfig() names every bad variable and shows no values', () => {
  const load = () => loadConfig({ NODE_ENV: 'secret-1', PORT: 'secret-2', BODY_LIMIT: 'secret-3' });
  expect(load).toThrow(/NODE_ENV: .*\n.*PORT: .*\n.*BODY_LIMIT: /);
  expect(load).not.toThrow(/secret/);
});

/** The variables of a file with these bytes, beside `B`, which is set already. */
function load(bytes: Buffer): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '.env'), bytes);
  const env = { B: 'set' };
  loadEnvFile(env, join(folder, '.env'));
  return env;
}

const FILE = '\uFEFFA=ä\r\nB="2"\nC=\n';

test('loadEnvFile() reads all variables of UTF-8 with and without a byte order mark, and keeps what is set', () => {
  for (const text of [FILE, FILE.slice(1)]) expect(load(Buffer.from(text))).toEqual({ A: 'ä', B: 'set', C: '' });
  const env = {};
  loadEnvFile(env, 'no-such-file');
  expect(env).toEqual({});
});

test.each([
  ['UTF-16', Buffer.from(FILE, 'utf16le')],
  ['UTF-16 without a byte order mark', Buffer.from('A=1\n', 'utf16le')],
  ['Latin-1', Buffer.from('A=ä', 'latin1')],
])('loadEnvFile() refuses %s', (_name, bytes) => {
  expect(() => load(bytes)).toThrow(/^Cannot read .*\.env: save it as UTF-8$/);
});
