/**
 * Proof of install: every first-party build, installed from this repository's index into a project as users
 * do it, integrated by its own guide, type-checked, tested, and verified as its guide describes. Then the modules
 * alone: with many compilers, and in projects of many kinds.
 *
 *     npm run prove                  on all Node.js versions; writes docs/proofs.md and docs/compatibility.md
 *     npm run prove -- --check       the same, and fails where a page differs instead of writing it
 *     npm run prove -- --node 24     the installs on one version, and writes nothing
 *     npm run prove -- --kind hono   the kinds of projects of that name, and prints their part of the page
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '../generator/pipeline/pipeline.ts';
import { proveCompatibility, proveSomeKinds, type Compatibility } from './prove/compatibility.ts';
import { nodeProgram, sharedCaches } from '../generator/matrix/available-versions.ts';
import { readProjects, nameOf } from './prove/projects.ts';
import { proveCase } from './prove/prove-case.ts';
import { writePage } from './prove/projects-page.ts';
import { serveIndex } from '../generator/serve/serve-index.ts';

type FoundationProof = Awaited<ReturnType<typeof proveCase>>;

const ROOT = join(import.meta.dirname, '..');
const BUILDS = join(ROOT, 'builds');
const PROOFS = join(ROOT, 'docs/proofs.md');
const COMPATIBILITY = join(ROOT, 'docs/compatibility.md');

const { values } = parseArgs({
  options: {
    node: { type: 'string' },
    kind: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});
process.exitCode = await prove(values.node, values.kind, values.check);

async function prove(
  node: string | undefined,
  kind: string | undefined,
  isCheck: boolean,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-prove-'));
  await generate({ repo: ROOT, out: join(folder, 'index'), pages: false });
  const server = await serveIndex(join(folder, 'index'), 0);
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proofs: FoundationProof[] = [];
  let compatibility: Compatibility | undefined;
  try {
    if (kind !== undefined) return (await proveSomeKinds(kind, BUILDS, folder, registry)) ? 0 : 1;
    for (const one of readProjects().foundations) {
      for (const version of one.nodes.filter((v) => node === undefined || v === node)) {
        const project = join(folder, `project-${proofs.length}`);
        const proof = await proveCase(one, version, project, await nodeFolder(version), registry);
        proofs.push(proof);
        const name = [one.foundation, ...one.modules].join(' + ');
        const result = proof.failures.length === 0 ? 'proved' : 'FAILED';
        console.log(`${result}: ${name} on Node.js ${version}: ${proof.lines.join(', ')}`);
        for (const failure of proof.failures) console.error(`error: ${failure}`);
      }
    }
    if (node === undefined) compatibility = await proveCompatibility(BUILDS, folder, registry);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  if (proofs.length === 0) {
    console.error(`error: Nothing is proved on Node.js "${node}"`);
    return 2;
  }
  const hasFailed = proofs.some(({ failures }) => failures.length > 0);
  if (compatibility === undefined) return hasFailed ? 1 : 0;
  const isCurrent = [
    writePage(PROOFS, formatProofs(proofs, BUILDS), isCheck),
    writePage(COMPATIBILITY, compatibility.page, isCheck),
  ].every(Boolean);
  return hasFailed || compatibility.hasFailed || !isCurrent ? 1 : 0;
}

/** The folder with the program of a version; its major version stands for the one that runs this. */
async function nodeFolder(version: string): Promise<string> {
  if (version === process.versions.node.split('.')[0]) return dirname(process.execPath);
  const cache = join(tmpdir(), 'stackyard-prove-cache');
  return dirname(await nodeProgram(version, { cache, env: sharedCaches(process.env, cache) }));
}

/** @param builds the folder of the builds */
function formatProofs(proofs: readonly FoundationProof[], builds: string): string {
  const rows = proofs.map(({ one, node, lines, failures }) => {
    const modules =
      one.modules.length === 0 ? '' : one.modules.map((id) => nameOf(builds, id)).join(', ');
    const setUp = one.setUp?.map((command) => `\`${command}\``).join(', ') ?? 'the client';
    const result = failures.length === 0 ? 'passed' : `FAILED: ${failures.length}`;
    return `| ${nameOf(builds, one.foundation)} | ${modules} | ${setUp} | ${node} | ${lines.join(', ')} | ${result} |`;
  });
  return `# Proofs of install

Written by \`npm run prove\`: each first-party build, installed by the client from this repository's index with real
packages, wired by the steps of its own INTEGRATION.md, then checked by what the last column but one names.
The tests of modules are not installed: they are copied in for this.

| Foundation | Modules | Packages installed by | Node.js | What ran | Result |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
