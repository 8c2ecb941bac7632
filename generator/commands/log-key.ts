/** The command `log:key`: makes the pair of keys that signs a transparency log. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatNoteKey, formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { RegistryConfig, originOfRegistry } from '../../format/registry/registry-config.ts';
import { GeneratorError } from '../errors.ts';
import { parseOrRefuse, reportError } from './main/report-error.ts';

const USAGE = `Usage: npm run --silent log:key -- [--name NAME] [--witness]

Prints a new private key on standard output, for STACKYARD_LOG_KEY, and its public key on standard error.

  --name NAME  name of the key (default: the name of this registry's log: the origin in registry.config.json and "/log")
  --witness    a key for cosignatures; it needs a name
  --help       print this

Example: npm run --silent log:key > log.key
`;

process.exitCode = main(process.argv.slice(2));

function main(argv: readonly string[]): number {
  try {
    const { name, witness: isWitness = false, help: isHelp } = parseValues(argv);
    if (isHelp === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const kind = isWitness ? 'cosignature' : 'note';
    const signer = noteSigner(name ?? nameOfLog(isWitness), kind, randomBytes(32));
    process.stdout.write(`${formatNoteSigner(signer)}\n`);
    process.stderr.write(`${formatNoteKey(signer)}\n`);
    return 0;
  } catch (error) {
    reportError(error);
    return 2;
  }
}

function nameOfLog(isWitness: boolean): string {
  const origin = isWitness ? undefined : originOfRegistry(readConfig());
  if (origin !== undefined) return `${origin}/log`;
  throw usage('The key needs a name', 'give --name, such as --name registry.example/log');
}

function readConfig(): RegistryConfig {
  try {
    return RegistryConfig.parse(JSON.parse(readFileSync('registry.config.json', 'utf8')));
  } catch {
    throw usage('Cannot read "registry.config.json" in this folder', 'give --name');
  }
}

function parseValues(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          name: { type: 'string' },
          witness: { type: 'boolean' },
          help: { type: 'boolean', short: 'h' },
        },
      }).values,
    (problem) => usage(problem, 'see npm run log:key -- --help'),
  );
}

function usage(problem: string, hint: string): GeneratorError {
  return new GeneratorError('ERR_USAGE', problem, { hint });
}
