/** A registry's repository at a code host, and the client run against it. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputSchema } from '../client/output-schema.ts';
import type { Ended } from '../run/script-process.ts';
import { stackyard } from '../client/registry-fixture.ts';
import { GitFixture, build, manifest, temporaryFolder } from '../generate/git-fixture.ts';
import { CodeHostFixture, TOKEN } from './code-host.ts';

/** The files of a build that may be published. */
export const FILES = {
  'stackyard.json': manifest('web', '1.0.0'),
  LICENSE: 'MIT License\n',
  'README.md': '# web\n',
  'src/index.ts': 'export const web = 1;\n',
};

export interface Answered extends Ended {
  readonly data: any;
  readonly error: any;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

export class PublishingFixture {
  /** What the registry's repository was cloned from. */
  readonly git = new GitFixture();
  readonly cache = temporaryFolder();
  /** Git on the developer's machine may have no user configured. */
  readonly #home = homeOf('Alice', 'alice@example.org');
  host!: CodeHostFixture;

  /** With one build of another owner. */
  static async start(): Promise<PublishingFixture> {
    const fixture = new PublishingFixture();
    const own = { 'registry.config.json': '{ "name": "Test" }\n', 'README.md': '# Registry\n' };
    fixture.git.commit({ ...own, ...build('bob/tool', '1.0.0') });
    await fixture.rehost();
    return fixture;
  }

  /** Hosts what was committed since. */
  async rehost(): Promise<void> {
    this.host = await CodeHostFixture.start(this.git);
  }

  /** The branches of the registry's repository, except the main one. */
  get branches(): string[] {
    const names = this.host.git('org/registry', 'branch', '--format=%(refname:short)').split('\n');
    return names.filter((name) => name !== 'main');
  }

  async run(args: readonly string[], variables: object = {}): Promise<Answered> {
    const env = {
      ...this.host.variables,
      HOME: this.#home,
      STACKYARD_CACHE: this.cache,
      ...variables,
    };
    const ended = await stackyard([...args, '--json'], env);
    const document = JSON.parse(ended.stdout) as Pick<Answered, 'data' | 'error' | 'warnings'>;
    const { data, error, warnings } = document;
    const problem = (await outputSchema(args[0] ?? '')).safeParse(document).error;
    if (problem !== undefined) throw new Error(`${problem.message}: ${ended.stdout}`);
    // In no case is the token in the output or in a file that is kept.
    const encoded = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
    for (const secret of [TOKEN, encoded]) {
      const kept = this.#cached().filter((file) => readFileSync(file).includes(secret));
      const isPrinted = (ended.stdout + ended.stderr).includes(secret);
      if (isPrinted || kept.length > 0)
        throw new Error(`The token is in ${kept.join(', ')} output`);
    }
    return { ...ended, data, error, warnings };
  }

  #cached(): string[] {
    return readdirSync(this.cache, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }
}

/** A home folder in which a git user is configured. */
function homeOf(name: string, email: string): string {
  const home = temporaryFolder();
  writeFileSync(join(home, '.gitconfig'), `[user]\n\tname = ${name}\n\temail = ${email}\n`);
  return home;
}
