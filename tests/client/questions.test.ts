/** Ctrl-C, the end of the input and a closed terminal at questions, at a real terminal. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeOnce } from '../run/make-once.ts';
import { runAtTerminal, type TerminalStep } from '../run/pseudo-terminal.ts';
import { MAIN } from './client-process.ts';
import { makeProject, readProject, serveFolder, serveRegistry } from './registry-fixture.ts';

const GUIDE = `## Steps

1. Mount it:

   \`\`\`ts wire insert @express routes
   app.get('/hello', (_req, res) => res.json('hello'));
   \`\`\`
`;
const PROJECT = {
  'package.json': '{ "name": "app", "type": "module" }\n',
  'src/app.ts':
    "import express from 'express';\n\nconst app = express();\napp.get('/', (_req, res) => res.end());\n",
};

async function registry(): Promise<string> {
  const folder = await makeOnce('questions', async (made) => {
    const git = new GitFixture();
    const at = { base: 'src/hello', files: ['src/**'] };
    git.commit(build('a/hello', '1.0.0', at, { 'INTEGRATION.md': GUIDE }));
    git.commit(
      build('a/tool', '1.0.0', { files: ['.npmrc'] }, { '.npmrc': 'ignore-scripts=true\n' }),
    );
    cpSync((await serveRegistry(git)).index, made, { recursive: true });
  });
  return serveFolder(folder);
}

const END = '\u0004';
const CTRL_C = '\u0003';

describe('a question that nobody answers', () => {
  it.each([
    ['about steps', 'a/hello', PROJECT, '(leave)?'],
    [
      'about a file in the way',
      'a/hello',
      { ...PROJECT, 'src/hello/src/index.ts': 'mine\n' },
      'top?',
    ],
    ['about consent', 'a/tool', PROJECT, 'top?'],
  ])('%s stops the command, with nothing written', async (_, id, files, at) => {
    const url = await registry();
    // `ask.ts` reads the answer to each question: at one of them, the other ways to leave it are tried.
    const others: TerminalStep[] = [
      { at, type: END },
      { at, close: true },
    ];
    const ways = id === 'a/tool' ? others : [];
    for (const step of [{ at, type: CTRL_C }, ...ways] satisfies TerminalStep[]) {
      const project = makeProject(files);
      const args = ['add', id, '-C', project, '--no-install', '--registry', url];
      const ended = await runAtTerminal([process.execPath, MAIN, ...args], {
        env: { CI: '', NO_COLOR: '1', STACKYARD_REGISTRY: undefined },
        steps: [step],
      });
      expect(ended).toMatchObject({ status: 130 });
      expect(ended.shown).toContain(at);
      if (!('close' in step)) expect(ended.shown).toContain('Interrupted: nothing was changed');
      expect(readProject(project)).toEqual(files);
    }
  });

  it('is answered by who types', async () => {
    const project = makeProject(PROJECT);
    const args = ['add', 'a/hello', '-C', project, '--no-install', '--registry', await registry()];
    const ended = await runAtTerminal([process.execPath, MAIN, ...args], {
      env: { CI: '', NO_COLOR: '1' },
      // The arrow keys bring the answers: down, and up to the last and back.
      steps: [{ at: '(leave)?', type: '\u001b[B\u001b[A\u001b[B\r' }],
    });
    expect(ended).toMatchObject({ status: 0 });
    expect(readFileSync(join(project, 'src/app.ts'), 'utf8')).toContain("app.get('/hello'");
  });
});
