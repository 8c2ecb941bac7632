/** Copied builds in bills of materials and in SARIF, valid by the schemas of those who define the formats. */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect, it } from 'vitest';
import { advisoryFile, affects } from '../advisories/advisory-fixture.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

const CYCLONEDX = join(
  dirname(fileURLToPath(import.meta.resolve('@cyclonedx/cyclonedx-library/package.json'))),
  'res/schema',
);

type Document = Record<string, unknown>;

function schema(file: string): Document {
  return JSON.parse(readFileSync(file, 'utf8')) as Document;
}

/** A check by a schema, which is compiled once: that takes seconds. */
function checkBy(
  read: () => { main: Document; others?: Document },
): (document: unknown) => string[] {
  let validate: ValidateFunction | undefined;
  return (document) => {
    if (validate === undefined) {
      const { main, others = {} } = read();
      const { $schema: _, id: __, ...rest } = main;
      const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
      for (const [id, other] of Object.entries(others)) ajv.addSchema(other as Document, id);
      validate = ajv.compile(rest);
    }
    validate(document);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

const cycloneDxProblems = checkBy(() => {
  const read = (name: string) => schema(join(CYCLONEDX, `${name}.SNAPSHOT.schema.json`));
  const others = ['spdx', 'jsf-0.82'].map((name) => {
    const { $id: _, ...other } = read(name);
    return [`http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`, other];
  });
  return { main: read('bom-1.6'), others: Object.fromEntries(others) as Document };
});
const sarifProblems = checkBy(() => ({
  main: schema(join(import.meta.dirname, 'sarif-2.1.0.schema.json')),
}));

async function projectWithBuilds() {
  const git = new GitFixture();
  git.commit(build('bob/store', '1.0.0', { base: 'src/store', license: '(MIT OR Apache-2.0)' }));
  git.commit(
    build(
      'alice/web',
      '1.0.0',
      { base: 'src/web', builds: { 'bob/store': '^1.0.0' } },
      {
        'deep/a b.ts': 'export const b = 1;\n',
      },
    ),
  );
  const { url } = await serveRegistry(git);
  const project = makeProject({ 'package.json': '{ "name": "shop", "version": "3.2.1" }\n' });
  const variables = {
    STACKYARD_CACHE: join(temporaryFolder(), 'cache'),
    STACKYARD_REGISTRY: url,
    SOURCE_DATE_EPOCH: '1780000000',
  };
  const run = (...args: string[]) => stackyard([...args, '-C', project], variables);
  expect((await run('add', 'alice/web', '--no-install')).status).toBe(0);
  const read = async (...args: string[]) => JSON.parse((await run(...args)).stdout) as Document;
  return { git, url, project, run, read };
}

it('a bill in CycloneDX 1.6 has licence, digest, origin, files, and what was edited', async () => {
  const { url, project, run, read } = await projectWithBuilds();
  const lock = schema(join(project, 'stackyard.lock.json')) as {
    builds: Record<string, { integrity: string; files: Record<string, object> }>;
  };
  const [first] = Object.keys(lock.builds['bob/store']!.files);
  appendFileSync(join(project, first!), '// ours\n');
  const bill = await read('sbom');
  expect(cycloneDxProblems(bill)).toEqual([]);
  const digest = (id: string) =>
    Buffer.from(lock.builds[id]!.integrity.slice('sha256-'.length), 'base64').toString('hex');
  expect(bill).toMatchObject({
    specVersion: '1.6',
    metadata: { component: { name: 'shop', version: '3.2.1' }, timestamp: '2026-05-28T20:26:40Z' },
    dependencies: [
      { ref: 'about', dependsOn: ['alice/web', 'bob/store'] },
      { ref: 'alice/web', dependsOn: ['bob/store'] },
      { ref: 'bob/store', dependsOn: [] },
    ],
  });
  const [web, store] = bill['components'] as Document[];
  expect(web).toMatchObject({
    type: 'library',
    group: 'alice',
    name: 'web',
    version: '1.0.0',
    hashes: [{ alg: 'SHA-256', content: digest('alice/web') }],
    licenses: [{ expression: 'MIT' }],
    externalReferences: [{ type: 'distribution', url: `${url}/builds/alice/web/1.0.0.tgz` }],
  });
  expect(web!['purl']).toMatch(
    /^pkg:generic\/alice\/web@1\.0\.0\?checksum=sha256:[0-9a-f]{64}&repository_url=test\.example%2F/,
  );
  expect(web!['pedigree']).toBeUndefined();
  expect((await fetch((web!['externalReferences'] as { url: string }[])[0]!.url)).status).toBe(200);
  const files = web!['components'] as { name: string; hashes: { content: string }[] }[];
  for (const { name, hashes } of files) {
    const sha256 = createHash('sha256')
      .update(readFileSync(join(project, name)))
      .digest('hex');
    expect(hashes[0]!.content).toBe(sha256);
  }
  expect(files.map(({ name }) => name)).toContain('src/web/deep/a b.ts');
  // An edited copy is not what its registry published.
  expect(store).toMatchObject({
    licenses: [{ expression: '(MIT OR Apache-2.0)' }],
    pedigree: { ancestors: [{ hashes: [{ content: digest('bob/store') }] }] },
  });
  expect(store!['hashes']).toBeUndefined();
  expect(store!['properties']).toContainEqual({ name: 'stackyard:modified', value: 'true' });
  // The same project gives the same bytes.
  expect((await run('sbom')).stdout).toBe((await run('sbom')).stdout);
});

it('a lock that was edited by hand gives a valid bill, or a refusal', async () => {
  const { project, run, read } = await projectWithBuilds();
  const file = join(project, 'stackyard.lock.json');
  const text = readFileSync(file, 'utf8');
  const odd = ['', 'Ours, ask us', 'LicenseRef-ours', 'MIT OR'];
  for (const license of odd) {
    writeFileSync(
      file,
      text.replaceAll(/"license": "MIT"/g, `"license": ${JSON.stringify(license)}`),
    );
    expect(cycloneDxProblems(await read('sbom')), license).toEqual([]);
  }
  writeFileSync(file, text.replace(/"lockVersion": \d+/, '"lockVersion": 99'));
  const refused = await run('sbom');
  expect([refused.status, refused.stdout]).toEqual([9, '']);
  expect(refused.stderr).toContain('hint: use a newer stackyard');
});

it('outdated as SARIF names each build at its line of the lock', async () => {
  const { git, project, run } = await projectWithBuilds();
  git.commit(build('bob/store', '1.1.0', { base: 'src/store', license: 'MIT' }));
  git.commit(advisoryFile({ affected: affects('bob/store', '0', '1.1.0') }));
  const { url } = await serveRegistry(git);
  const { status, stdout } = await run('outdated', '--sarif', '--registry', url);
  expect(status).toBe(10);
  const log = JSON.parse(stdout) as { runs: { results: Document[] }[] };
  expect(sarifProblems(log)).toEqual([]);
  const lines = readFileSync(join(project, 'stackyard.lock.json'), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('"bob/store": {')) + 1;
  const physicalLocation = {
    artifactLocation: { uri: 'stackyard.lock.json' },
    region: { startLine: line, startColumn: 5, endColumn: 16 },
  };
  expect(log.runs[0]!.results).toMatchObject([
    { ruleId: 'build-advisory', level: 'error', locations: [{ physicalLocation }] },
    { ruleId: 'build-behind', level: 'note', locations: [{ physicalLocation }] },
  ]);
});
