/** The step of deploy.yml that writes filters of changed paths for new commits: the gate reads long histories by them. */
import { execFileSync } from 'node:child_process';
import { printable } from '../../format/build/file-path.ts';
import { escapeCommandData } from '../../generator/gate/escape.ts';
import { registryFolder } from './environment.ts';
import { runScript } from './run-script.ts';

await runScript(() => Promise.resolve(main(registryFolder(process.env))));

function main(cwd: string): number {
  const args = ['commit-graph', 'write', '--reachable', '--changed-paths', '--split'];
  try {
    execFileSync('git', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    // Verdicts are the same without them.
    const problem = error instanceof Error ? error.message : String(error);
    console.log(`::warning::No filters of paths: ${escapeCommandData(printable(problem))}`);
  }
  return 0;
}
