import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forManager, withoutPutIn } from './foundation-texts.ts';
import { DeletedModules } from './left-out.ts';

describe('DeletedModules', () => {
  const deleted = new DeletedModules(['src/example/router.ts', 'app/example/routes.py']);
  const IMPORT = "import { createRouter as example } from './example/router.js';\n";
  const USE = "  { prefix: '/example', router: example() },\n";
  const strip = (path: string, ours: string | undefined, theirs: string): string => {
    const bytes = ours === undefined ? undefined : Buffer.from(ours);
    return Buffer.from(
      deleted.strip(path, bytes, undefined, Buffer.from(theirs)).theirs,
    ).toString();
  };

  it('takes imports of deleted modules and the lines with their names out of new versions', () => {
    expect(
      strip('src/routes.ts', 'const all = [\n];\n', `${IMPORT}const all = [\n${USE}];\n`),
    ).toBe('const all = [\n];\n');
    expect(strip('src/routes.ts', undefined, `${IMPORT}export {};\n`)).toBe('export {};\n');
    const python = 'from app.example.routes import router\nadd(router)\nadd(other)\n';
    expect(strip('app/main.py', 'add(other)\n', python)).toBe('add(other)\n');
  });

  it('leaves a file in which the project still has such a line, and other files', () => {
    const text = `${IMPORT}const all = [\n${USE}];\n`;
    expect(strip('src/routes.ts', 'const all = [example()];\n', text)).toBe(text);
    expect(strip('src/in/routes.ts', undefined, text)).toBe(text);
  });
});

describe('forManager()', () => {
  const BUILDS = join(import.meta.dirname, '../../builds/stackyard');
  const FILES = ['Dockerfile', '.dockerignore', 'AGENTS.md', '.github/workflows/ci.yml'];
  const cases = ['express-api', 'hono-api', 'react-app'].flatMap((build) =>
    FILES.map((file): [string, string] => [file, join(BUILDS, build, file)]),
  );

  it.each(cases)(
    'has no npm in %s of %s, and withoutPutIn() gives what was shipped',
    (path, file) => {
      expect(existsSync(file)).toBe(true);
      const shipped = readFileSync(file, 'utf8');
      for (const manager of ['pnpm', 'yarn', 'bun']) {
        const text = forManager(manager, '7', path, shipped);
        const left = text.replaceAll(/# Not npm start.*|npm install --global \w+@7 && /g, '');
        expect(left).not.toMatch(/\bnp[mx]\b|package-lock/);
        expect(Buffer.from(withoutPutIn(path, Buffer.from(text))).toString()).toBe(shipped);
      }
      expect(forManager('npm', '7', path, shipped)).toBe(shipped);
    },
  );

  it('leaves a text that could not be reverted, and files of other names', () => {
    const both = 'npm run build\npnpm run build\n';
    expect(forManager('pnpm', '', 'Dockerfile', both)).toBe(both);
    expect(forManager('pnpm', '', 'src/a.ts', 'npm run build')).toBe('npm run build');
  });
});
