/** The command `serve`: generates the index of a repository and serves it on this machine. */
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { CLIENT_PATH } from '../../../format/index/layout.ts';
import { usageError } from '../../errors.ts';
import { formatStep } from '../../pipeline/progress.ts';
import { runGenerator } from '../../serve/generator-process.ts';
import { serveIndex } from '../../serve/serve-index.ts';
import { parsePort } from './parse-port.ts';
import { parseOrRefuse, reportError } from './report-error.ts';

const usage = usageError('npm start -- --help');

const USAGE = `Usage: npm start -- [--repo DIR] [--out DIR] [--port N]

Generates the static index of a git repository with a builds/ folder, and serves it on this machine, for development.

  --repo DIR  the repository (default: this folder)
  --out DIR   the index (default: index)
  --port N    the port (default: the variable PORT, or 4173)
  --help      print this

Exit status: 1 the index could not be made or served; 2 wrong usage.
`;

const DEFAULT_PORT = '4173';

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { repo = '.', out = 'index', help: isHelp, port: given } = parseValues(argv);
    if (isHelp === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const port = portOf(given);
    // A busy port is refused before there is work; pages of this server say how far that is.
    let step: string | undefined = 'starting the generator';
    const server = await serveIndex(out, port, { waitingFor: () => step });
    const { port: bound } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${bound}`;
    console.log(`Generating the index for ${url}`);
    const { status, isWritten } = await runGenerator(['--repo', repo, '--out', out], (next) => {
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
  } catch (error) {
    return reportError(error);
  }
}

function portOf(option: string | undefined): number {
  const name = option === undefined ? 'Variable "PORT"' : 'Option --port';
  return parsePort(option ?? process.env['PORT'] ?? DEFAULT_PORT, name, usage);
}

function parseValues(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          repo: { type: 'string' },
          out: { type: 'string' },
          port: { type: 'string' },
          help: { type: 'boolean', short: 'h' },
        },
      }).values,
    usage,
  );
}
