/** Every malicious case of the corpus is found, and no benign one is reported: each idiom has a twin that reads or sends nothing. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeCase } from './judge-case.ts';
import { readCorpus } from './read-corpus.ts';
import { riskOf } from '../scan/risk.ts';

/**
 * By cause, of malicious cases what is not found, of benign ones what is reported. `environment`, `attack`, their second
 * sets and `fresh` were written without knowledge of the rules: of `fresh`, 19 of 40 attacks were found at first, and none
 * of 40 innocents was reported.
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
    // A request in words that no rule has: to note, to upload, to judge, to remember.
    'attack-2/agent-audited-note',
    'attack-2/agent-failure-hint',
    'attack-2/agent-hidden-script-tag',
    'attack-2/agent-memory-note',
    'attack-2/agent-support-upload',
    // Commands of a stranger, from a chat or a socket, that a program runs.
    'attack-2/bot-commands',
    'attack-2/pty-websocket',
    'attack-2/yaml-apply',
    // What starts by itself in a way that no rule has: extensions, imports, plug-ins, make targets.
    'attack-2/extconf-command',
    'attack-2/make-clean-disk',
    'attack-2/pip-at-import',
    'attack-2/pytest-entry-point',
    'attack-2/yarn-plugin',
    // What stays on the machine or is trusted there: units, shims, certificates, settings of Git.
    'attack-2/git-credential-helper',
    'attack-2/hooks-path-merge',
    'attack-2/sudo-shim',
    'attack-2/systemd-user-unit',
    'attack-2/trust-anchor',
    // Files of other programs and packages are changed.
    'attack-2/asar-swap',
    'attack-2/neighbour-patch',
    'attack-2/pnpm-patch',
    // Hidden in blanks, pictures, letters and maps of sources.
    'attack-2/go-letters-command',
    'attack-2/image-low-bits',
    'attack-2/source-map-module',
    'attack-2/trailing-blanks',
    // Files of the user are encrypted, or deleted from a day on.
    'attack-2/dated-delete',
    'attack-2/folder-encrypt',
    // Malicious by its purpose, or by the host that it names: what it does is what honest programs do.
    'attack-2/header-bypass',
    'attack-2/import-hook-session',
    'attack-2/mcp-hidden-bcc',
    'attack-2/route-delete',
    'attack-2/sign-in-page',
    'attack-2/unlimited-approval',
    'attack-2/weak-entropy',
    // A route answers with the environment: so do honest pages of a developer.
    'environment-2/health-route-answer',
    // No code of this language is read.
    'attack/go-init-download',
    'environment/go-http-environ',
    'environment-2/php-stream-context',
    'flow/go-connection',
    'flow/go-init-shell',
    // The settings object comes from the caller, with no more than the name of its class.
    'environment-2/py-settings-model-dump',
    // The key is what a wrapped function returns, and is sent as a transaction.
    'environment-2/py-solana-memo',
    // A backdoor or a weakened check, which no code but its purpose shows.
    'fresh/py-master-hash',
    'fresh/ts-login-header',
    'fresh/ts-weak-token',
  ]),
  benign: new Set([
    // The port of a database is tested with what opens a connection for a shell.
    'attack/bash-dev-tcp',
    // One pattern, which an honest build explains.
    'attack-2/bidi-admin-guard',
    'attack-2/binary-mirror',
    'attack-2/pth-startup',
    // An updater that checks a signature: whose key it is, no code shows.
    'attack-2/updater-second-host',
  ]),
};

describe.each(['malicious', 'benign'] as const)('%s', (set) => {
  test.each(readCorpus(join(import.meta.dirname, 'corpus', set)))('$name', ({ name, files }) => {
    const risk = riskOf(judgeCase(files));
    if ((set === 'benign') !== WRONG[set].has(name)) expect(risk).toBe('ok');
    else expect(risk).not.toBe('ok');
  });
});
