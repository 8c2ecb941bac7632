/** The page docs/proofs.md: which projects were started from our foundations, and what was run in them. */
import type { FoundationProof } from './prove-case.ts';
import { nameOf } from './projects.ts';

/** @param builds the folder of the builds */
export function formatProofs(proofs: readonly FoundationProof[], builds: string): string {
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
