/** Follows a page of the documentation in a home folder of its own, with the program `stackyard` and our registry. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { ourRegistry, projectEnvironment } from '../foundations/our-registry.ts';
import '../run/global-setup.ts';
import { formatDocument, parseDocument } from './document.ts';
import { runDocument } from './run-document.ts';
import { startShell } from './shell.ts';
import type { Shell } from './shell.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface PageReader {
  readonly home: () => string;
  /** The page with what its commands printed; they start in `folder`. */
  readonly follow: (page: string, folder: string) => Promise<string>;
}

/** To be called once in a test file, outside its cases. */
export function pageReader(): PageReader {
  const registry = ourRegistry();
  const shells: Shell[] = [];
  let home = '';
  let port = 0;

  beforeAll(async () => {
    home = join(realpathSync(registry.folder()), 'home');
    port = await findFreePort();
    prepareHome(home);
  });
  afterAll(async () => {
    for (const shell of shells) await shell.close();
  });

  return {
    home: () => home,
    follow: async (page, folder) => {
      const environment = projectEnvironment();
      const shell = startShell(folder, {
        ...environment,
        HOME: home,
        PATH: `${join(home, 'bin')}${delimiter}${environment['PATH']}`,
        PORT: String(port),
        STACKYARD_REGISTRY: registry.url(),
        STACKYARD_CACHE: join(home, 'cache'),
        STACKYARD_STATE: join(home, 'state'),
        npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
        CI: '',
        GITHUB_TOKEN: '',
      });
      shells.push(shell);
      const names = [
        ['http://127.0.0.1:4173', registry.url()],
        ['http://localhost:3000', `http://localhost:${port}`],
        ['/home/me', home],
      ] as const;
      const document = parseDocument(readFileSync(join(ROOT, page), 'utf8'));
      return formatDocument(await runDocument(document, { shell, folder, names }));
    },
  };
}

/** A home folder with the program `stackyard`, a name for git, and a clone of this repository. */
function prepareHome(home: string): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  const program = join(home, 'bin/stackyard');
  // The Node.js of the reader: the client judges projects by it, and not by that of this repository.
  symlinkSync(process.execPath, join(home, 'bin/node'));
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${inject('programs').client}" "$@"\n`,
  );
  chmodSync(program, 0o755);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Me\n\temail = me@example.org\n');
  const clone = join(home, 'stackyard');
  execFileSync('git', ['clone', '-q', ROOT, clone]);
  execFileSync('git', ['checkout', '-q', '-B', 'main'], { cwd: clone });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
}
