/** `pack` makes the tarball that the generator makes of the same files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outputSchema } from '../client/output-schema.ts';
import { makeProject, serveRegistry, stackyard } from '../client/registry-fixture.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';

async function pack(...args: string[]): Promise<{ status: number | null; data: any; error: any }> {
  const { status, stdout } = await stackyard(['pack', ...args, '--json']);
  const document = JSON.parse(stdout) as { data: any; error: any };
  expect((await outputSchema('pack')).safeParse(document).error?.message).toBeUndefined();
  return { status, data: document.data, error: document.error };
}

it('produces the bytes and the digest of a generated index', async () => {
  const git = new GitFixture();
  const files = { 'bin/run.sh': '#!/bin/sh\n', 'ü/ñ.txt': 'x\r\n', 'empty.txt': '' };
  git.write(build('alice/web', '1.0.0', {}, files));
  git.makeExecutable('builds/alice/web/bin/run.sh');
  git.commit({});
  const { index } = await serveRegistry(git);
  const record = JSON.parse(readFileSync(join(index, 'builds/alice/web.json'), 'utf8')) as {
    integrity: string;
  };
  const out = join(temporaryFolder(), 'web.tgz');
  const packed = await pack(join(git.folder, 'builds/alice/web'), '--out', out);
  expect([packed.status, packed.data.integrity]).toEqual([0, record.integrity]);
  const expected = readFileSync(join(index, 'builds/alice/web/1.0.0.tgz'));
  expect(readFileSync(out).equals(expected)).toBe(true);
  expect(packed.data.size).toBe(expected.length);
  // The same bytes again are no conflict; other bytes are.
  expect((await pack(join(git.folder, 'builds/alice/web'), '--out', out)).status).toBe(0);
  writeFileSync(out, 'mine');
  const refused = await pack(join(git.folder, 'builds/alice/web'), '--out', out);
  expect([refused.status, refused.error.code]).toEqual([5, 'ERR_CONFLICT']);
  expect(readFileSync(out, 'utf8')).toBe('mine');
});

it('ends with status 10 and findings for what cannot be packed', async () => {
  const project = makeProject({ 'stackyard.json': '{}' });
  mkdirSync(join(project, 'con'));
  writeFileSync(join(project, 'con/a\nb'), '');
  const { status, data } = await pack(project);
  expect(status).toBe(10);
  const codes = data.findings.map(({ code }: { code: string }) => code);
  expect(codes).toContain('manifest-field-missing');
});
