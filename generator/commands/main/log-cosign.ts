/** The command `log:cosign`: asks the witnesses of a registry to confirm its log. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseDocument } from '../../../format/document/document.ts';
import { RegistryConfig } from '../../../format/registry/registry-config.ts';
import { CONFIG_FILE } from '../../../format/registry/repository-layout.ts';
import { usageError } from '../../errors.ts';
import { cosignLog } from '../../log/cosign-log.ts';
import { parseOrRefuse, reportError } from './report-error.ts';

const usage = usageError('npm run log:cosign -- --help');

const USAGE = `Usage: npm run log:cosign -- [--out DIR] [--config FILE]

Asks the witnesses that registry.config.json names, and puts their cosignatures into log/checkpoint of the index.
Run it after every "npm run generate", and on a timer, so that the confirmed state stays recent.

  --out DIR      the index (default: index)
  --config FILE  default: registry.config.json
  --help         print this

Exit status: 0 done; a witness that did not answer is a warning. 1 a witness has seen a log that this one does not
continue: do not publish the index. 2 wrong usage.

Example: npm run log:cosign -- --out index
`;

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { out = 'index', config = CONFIG_FILE, help: isHelp } = parseValues(argv);
    if (isHelp === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const { witnesses } = readConfig(config).log;
    if (witnesses.length === 0) {
      console.log(`"${config}" names no witness`);
      return 0;
    }
    const asked = await cosignLog(out, witnesses);
    for (const { name, reply } of asked) {
      if (reply.kind === 'confirmed') console.log(`confirmed  ${name}`);
      if (reply.kind === 'failed') console.error(`warning: Witness "${name}" ${reply.problem}`);
      if (reply.kind === 'contradicted') {
        console.error(`error: Witness "${name}" ${reply.problem} [ERR_LOG_FORK]`);
        console.error('hint: publish nothing: restore the log that was published before');
      }
    }
    return asked.some(({ reply }) => reply.kind === 'contradicted') ? 1 : 0;
  } catch (error) {
    return reportError(error);
  }
}

function readConfig(file: string): RegistryConfig {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch {
    throw usage(`Cannot read "${file}"`);
  }
  return parseDocument(RegistryConfig, bytes, `"${file}"`);
}

function parseValues(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          out: { type: 'string' },
          config: { type: 'string' },
          help: { type: 'boolean', short: 'h' },
        },
      }).values,
    usage,
  );
}
