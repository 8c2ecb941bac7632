/** The command `serve`: generates the index of a repository and serves it on this machine. */
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { CLIENT_PATH } from '../../../format/index/layout.ts';
import { clientPackage } from '../../client-package/client-package.ts';
import { usageError } from '../../errors.ts';
import { generate } from '../../pipeline/pipeline.ts';
import { formatProblem, formatSummary } from '../../pipeline/report.ts';
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
    const started = performance.now();
    const report = await generate({ repo, out, client: await clientPackage() });
    console.log(formatSummary(report, (performance.now() - started) / 1000));
    for (const problem of report.problems.failing) console.error(formatProblem(problem));
    if (report.isViolated) return 1;
    const server = await serveIndex(out, port);
    const { port: bound } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${bound}`;
    console.log(`Serving the index on ${url}`);
    console.log(`In a project: npx --yes ${url}/${CLIENT_PATH} search`);
    return 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      console.error('error: The port is in use');
      console.error('hint: choose another one: PORT=4174 npm start');
      return 1;
    }
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
