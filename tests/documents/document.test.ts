import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { formatDocument, parseDocument } from './document.ts';
import { runDocument } from './run-document.ts';
import { startShell } from './shell.ts';

const PAGE = `# Page

\`\`\`ts src/a.ts
one
two
\`\`\`

\`\`\`console
$ cd src
$ cat a.ts
o[..]
two
$ echo 'http://shown'
http://shown
\`\`\`
`;

async function run(page: string): Promise<string> {
  const folder = temporaryFolder();
  const shell = startShell(folder, process.env);
  onTestFinished(shell.close);
  const names = [['http://shown', 'http://real']] as const;
  return formatDocument(await runDocument(parseDocument(page), { shell, folder, names }));
}

describe('parseDocument()', () => {
  it.each(['README.md', 'docs/tutorial.md'])('formatDocument() is its inverse: %s', (file) => {
    const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
    expect(formatDocument(parseDocument(text))).toBe(text);
  });

  it('refuses a block without an end, and output without a command', () => {
    expect(() => parseDocument('```console\n$ ls\n')).toThrow('The block at line 1 has no end');
    expect(() => parseDocument('```console\na.ts\n```\n')).toThrow('before the first command');
  });
});

describe('runDocument()', () => {
  it('returns the same page when every command prints what it shows', async () => {
    expect(await run(PAGE)).toBe(PAGE);
  });

  it('shows what was printed instead, and an exit status other than 0', async () => {
    const page = PAGE.replace('\ntwo\n$', '\nthree\n$').replace("echo 'http://shown'", 'false');
    expect(await run(page)).toBe(
      page.replace('\nthree\n$', '\ntwo\n$').replace('\nhttp://shown\n', '\n[status 1]\n'),
    );
  });

  it('applies a patch in the folder of the shell', async () => {
    const patch = '```diff\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+1\n```\n';
    const page = `${PAGE}${patch}\`\`\`console\n$ cat a.ts\n1\ntwo\n\`\`\`\n`;
    expect(await run(page)).toBe(page);
    await expect(run(page.replace('-one', '-uno'))).rejects.toThrow('does not apply to a.ts');
  });
});
