/** The two front-end templates of create-vite, with vitest, which they do not bring. */
import { NPM_TOOLS } from './toolbox.ts';
import { DATABASE_USE, databaseTest } from './database-sources.ts';
import { VITEST_IMPORT } from './package-json.ts';
import type { ProjectKind } from './project-kind.ts';

const COUNTER_TEST = `${VITEST_IMPORT}import { setupCounter } from './counter';

test('counts clicks', () => {
  const clicks: (() => void)[] = [];
  const button = { innerHTML: '', addEventListener: (_: string, on: () => void) => clicks.push(on) };
  setupCounter(button as unknown as HTMLButtonElement);
  for (const click of clicks) click();
  expect(button.innerHTML).toBe('Count is 1');
});
`;

const APP_TEST = `${VITEST_IMPORT}import { renderToString } from 'react-dom/server';
import App from './App';

test('shows the count', () => {
  expect(renderToString(<App />)).toContain('Count is');
});
`;

export const VITE_PROJECTS: readonly ProjectKind[] = [
  viteProject('vanilla-ts', 'src/counter.test.ts', COUNTER_TEST),
  viteProject('react-ts', 'src/App.test.tsx', APP_TEST),
];

function viteProject(template: string, test: string, text: string): ProjectKind {
  return {
    name: `Vite, ${template}`,
    made: `\`create-vite\` ${NPM_TOOLS['create-vite']} with \`--template ${template}\`; vitest and a test added`,
    create: [`create-vite "$NAME" --template ${template} --no-interactive`],
    files: { [test]: text },
    install: ['npm install --ignore-scripts --save-dev vitest@^5.0.0'],
    typeCheck: 'npm run build',
    test: 'npx vitest run',
    trials: [
      {
        build: 'stackyard/sqlite',
        uses: [
          {
            what: DATABASE_USE,
            files: { 'src/notes.test.ts': databaseTest('./sqlite/index.js') },
            command: 'npx tsc -b && npx vitest run',
          },
        ],
      },
    ],
  };
}
