/** The command `serve`: generates the index of a repository and serves it on this machine. */
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { CLIENT_PATH } from '../../format/index/layout.ts';
import { formatStep } from '../pipeline/progress.ts';
import { runGenerator } from '../serve/generator-process.ts';
import { serveIndex } from '../serve/serve-index.ts';
import { out, port, repo } from './fields.ts';

const DEFAULT_PORT = 4173;

export const command = defineCommand({
  description:
    'Generates the static index of a git repository with a builds/ folder, and serves it on this machine, for development',
  input: z.object({ repo, out, port: port(DEFAULT_PORT) }),
  notes: ['Exit status: 1 the index could not be made or served; 2 wrong usage.'],
  examples: ['serve --repo ../registry'],
  run: async ({ repo: folder, out: index, port: at }) => {
    // A busy port is refused before there is work; pages of this server say how far that is.
    let step: string | undefined = 'starting the generator';
    const server = await serveIndex(index, at, { waitingFor: () => step });
    const { port: bound } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${bound}`;
    console.log(`Generating the index for ${url}`);
    const args = ['--repo', folder, '--out', index, '--unsigned'];
    const { status, isWritten } = await runGenerator(args, (next) => {
      step = formatStep(next);
    });
    if (!isWritten) {
      server.closeAllConnections();
      server.close();
      return status === 0 ? 1 : status;
    }
    step = undefined;
    console.log(`Serving the index on ${url}`);
    console.log(`In a project: npx --yes ${url}/${CLIENT_PATH} search`);
    return 0;
  },
});
