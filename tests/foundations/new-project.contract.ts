/** What every project has that `new` makes from a starter in TypeScript: lint, format and README.md. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { runIn } from './our-registry.ts';
import { startServer } from './server-process.ts';

/** Checks of the files in the project that `new` has made from the starter `id`. */
export function describeNewProject(id: string, project: () => string): void {
  describe('the new project', () => {
    // Its type check and tests are among the rows.
    test('passes its own build', () => {
      expect(runIn(project(), 'npm', 'run', '-s', 'build')).toBe('');
    });

    test('passes its linter, and its formatter changes nothing', () => {
      expect(runIn(project(), 'npm', 'run', '-s', 'lint')).toContain(
        'Found 0 warnings and 0 errors',
      );
      expect(runIn(project(), 'npx', 'oxfmt', '--check')).toContain(
        'All matched files use the correct format',
      );
    });

    test('has a README.md with its own name and commands', () => {
      const text = readFileSync(join(project(), 'README.md'), 'utf8');
      expect(text.startsWith(`# app\n\nStarted from \`${id}\` `)).toBe(true);
      expect(text).toContain('| `npm run dev` | `node --import tsx src/dev.ts` |');
    });
  });
}

/** Checks that the dev server serves what editors and git write: they replace the file, or write into it. */
export function describeDevServer(project: () => string): void {
  test.each([
    ['replaced', (file: string) => renameSync(`${file}.new`, file)],
    ['written', (file: string) => writeFileSync(file, readFileSync(`${file}.new`))],
  ])(
    'npm run dev serves each of six changes of a file that is %s',
    async (_how, change) => {
      const port = await findFreePort();
      const env = { PORT: String(port) };
      const dev = {
        file: 'npm',
        args: ['run', '-s', 'dev'],
        cwd: project(),
        isGroup: true,
      } as const;
      const server = await startServer({ ...dev, env }, port);
      const file = join(project(), 'src/http/health.ts');
      const text = readFileSync(file, 'utf8');
      const getHealth = async (): Promise<string> => (await fetch(`${server.url}/health`)).text();
      try {
        for (const status of ['1', '2', '3', '4', '5', '6']) {
          writeFileSync(`${file}.new`, text.replace(`status: 'ok'`, `status: '${status}'`));
          change(file);
          await expect
            .poll(getHealth, { timeout: 20_000, interval: 200 })
            .toBe(`{"status":"${status}"}`);
        }
      } finally {
        await server.stop();
        rmSync(`${file}.new`, { force: true });
        writeFileSync(file, text);
      }
    },
    150_000,
  );
}
