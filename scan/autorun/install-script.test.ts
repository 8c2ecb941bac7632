import { describe, expect, it } from 'vitest';
import { installScriptKind } from './install-script.ts';

function kindOf(postinstall: string, scripts: Readonly<Record<string, string>> = {}): string {
  return installScriptKind('postinstall', { postinstall, ...scripts });
}

describe('installScriptKind()', () => {
  it.each([
    ['node-gyp rebuild', 'tool'],
    ['husky || true', 'tool'],
    ['tsc && vite build', 'tool'],
    ['npm run build', 'tool'],
    ['npm ci', 'tool'],
    ['npx husky install', 'tool'],
    ['A=b cross-env-shell tsc', 'tool'],
    ['', 'tool'],
    ['node scripts/postinstall.js', 'own'],
    ['./setup.sh', 'own'],
    ['sh setup.sh', 'own'],
    ['python3 setup.py', 'own'],
    ['npx some-unknown-tool', 'own'],
    ['node -e \'require("./x")\'', 'own'],
    ['node -e \'require("child_process")\'', 'inline'],
    [`node -e '${'x;'.repeat(101)}'`, 'inline'],
    ['npm install other-package', 'inline'],
    ['curl https://a.com/x', 'fetch'],
    ['wget https://a.com/x -O a || true', 'fetch'],
    ['node -e \'fetch("https://a.com")\'', 'fetch'],
    ["python3 -c 'import base64'", 'fetch'],
    ['tsc; node a.js; curl https://a.com', 'fetch'],
  ])('%s: %s', (script, kind) => {
    expect(kindOf(script)).toBe(kind);
  });

  it.each([
    ['npm run setup', { setup: 'node a.js' }, 'own'],
    ['yarn setup', { setup: 'curl https://a.com' }, 'fetch'],
    ['npm run a', { a: 'npm run b', b: 'curl https://a.com' }, 'fetch'],
    ['npm run missing', {}, 'tool'],
    ['npm run toString', {}, 'tool'],
  ])('follows %s in %j: %s', (script, scripts, kind) => {
    expect(kindOf(script, scripts)).toBe(kind);
  });

  it('ends where scripts call each other', () => {
    expect(
      kindOf('npm run postinstall && npm run a', { a: 'npm run postinstall; npm run a' }),
    ).toBe('tool');
  });

  it('reads the beginning of a long script', () => {
    expect(kindOf(`${'tsc;'.repeat(10_000)}curl https://a.com`)).toBe('tool');
  });
});
