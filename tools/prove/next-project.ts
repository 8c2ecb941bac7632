/** A Next.js application, with the tests that its documentation describes. */
import { VITEST_IMPORT } from './package-json.ts';
import type { ProjectKind } from './project-kind.ts';
import { NPM_TOOLS } from './toolbox.ts';

const OPTIONS =
  '--ts --eslint --no-tailwind --no-react-compiler --app --src-dir --empty --no-agents-md --use-npm --skip-install --disable-git --no-import-alias --yes';

const TEST_PACKAGES = [
  'vitest@^4.0.0',
  '@vitejs/plugin-react@^5.0.0',
  'jsdom@^27.0.0',
  '@testing-library/react@^16.3.0',
  '@testing-library/dom@^10.4.0',
  'vite-tsconfig-paths@^5.1.0',
];

const PAGE_TEST = `${VITEST_IMPORT}import { render, screen } from '@testing-library/react';
import Page from '../src/app/page';

test('shows the greeting', () => {
  render(<Page />);
  expect(screen.getByText('Hello world!')).toBeDefined();
});
`;

const ROUTE = `import { openDatabase } from '../../sqlite/index.js';

const db = openDatabase(':memory:', {
  migrations: [{ id: '0001_notes', sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)' }],
});

export async function POST(request: Request): Promise<Response> {
  db.prepare('INSERT INTO notes (text) VALUES (?)').run(await request.text());
  return Response.json(db.prepare('SELECT text FROM notes').all());
}
`;

/** Starts what was built on a free port, and posts a note. */
const ASK = `import { spawn } from 'node:child_process';

const child = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', '0']);
const timer = setTimeout(() => child.kill(), 60_000);
let output = '';
child.stdout.on('data', async (data) => {
  const before = output;
  output += data;
  const address = /http:\\/\\/localhost:\\d+/.exec(output)?.[0];
  if (!output.includes('Ready') || before.includes('Ready') || address === undefined) return;
  try {
    const answer = await fetch(address + '/notes', { method: 'POST', body: 'one' });
    const text = await answer.text();
    if (text !== '[{"text":"one"}]') throw new Error(text);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  clearTimeout(timer);
  child.kill();
});
child.on('close', () => {
  if (!output.includes('Ready')) process.exitCode = 1;
});
`;

const NOTES = { 'src/app/notes/route.ts': ROUTE, 'ask.mjs': ASK };

export const NEXT: ProjectKind = {
  name: 'Next.js, App Router, vitest',
  made: `\`create-next-app\` ${NPM_TOOLS['create-next-app']} with \`--empty --src-dir\`; vitest as its documentation describes`,
  create: [`create-next-app "$NAME" ${OPTIONS}`],
  files: {
    'vitest.config.mts': `import react from '@vitejs/plugin-react';
import tsconfigPaths from 'vite-tsconfig-paths';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [tsconfigPaths(), react()],
  test: { environment: 'jsdom' },
});
`,
    '__tests__/page.test.tsx': PAGE_TEST,
  },
  install: [`npm install --ignore-scripts --save-dev ${TEST_PACKAGES.join(' ')}`],
  typeCheck: 'npm run build',
  test: 'npx vitest run',
  written: ['next-env.d.ts'],
  trials: [
    {
      build: 'stackyard/sqlite',
      uses: [
        {
          what: 'notes over HTTP, built by webpack with `experimental.extensionAlias`',
          files: NOTES,
          edits: {
            'next.config.ts': [
              [
                'const nextConfig: NextConfig = {',
                `const nextConfig: NextConfig = {\n  experimental: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },`,
              ],
            ],
          },
          command: 'npx next build --webpack && node ask.mjs',
        },
        {
          what: 'notes over HTTP, built by Turbopack',
          files: NOTES,
          command: 'npm run build && node ask.mjs',
          limit: {
            output: "Can't resolve '../../sqlite/index.js'",
            why: 'Turbopack does not resolve `.js` to the `.ts` file',
          },
        },
      ],
    },
  ],
};
