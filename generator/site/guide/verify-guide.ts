/** "Verify this registry": what nobody has to believe. */
import { CHECKPOINT_PATH } from '../../../format/index/layout.ts';
import { UNKNOWN_ADDRESS, clientCommands } from '../build/install-command.ts';
import type { Site } from '../site.ts';
import type { Guide } from './guide-page.ts';

export function verifyGuide(site: Site): Guide {
  const address = site.address === '' ? UNKNOWN_ADDRESS : site.address;
  const client = (action: string): string => Object.values(clientCommands(site, action))[0]!;
  const audits =
    site.logKey === undefined
      ? 'An audit needs a log that is signed: this registry has none.'
      : `An audit reads the log, its map and everything that is served, and compares each digest. The client does it from the address of this registry:

\`\`\`sh
${client('audit')}
\`\`\`

The programs of a registry do it too ([how to get them](../run/)). With a clone of the registry's repository they also build everything again, and
compare the bytes:

\`\`\`sh
stackyard-registry audit ${address} --repo ../clone-of-the-registry
\`\`\``;
  const key =
    site.logKey === undefined
      ? 'The log of this registry is not signed: a client notices changed tarballs, but not a host that alters what it states about them.'
      : `This is the key that signs the log of this registry. Compare it with the one that the admins publish elsewhere:

\`\`\`
${site.logKey}
\`\`\``;
  return {
    section: 'verify',
    title: 'Verify this registry',
    lead: 'Every version, yank and change of an owner is an entry of a log that only grows. Anyone can check it.',
    text: `
## The key

${key}

## In a project

This compares what is installed with the lock, and the proofs in the lock with the log:

\`\`\`sh
${client('verify')}
\`\`\`

## The whole registry

${audits}

## By hand

The checkpoint of the log is [a signed note](../${CHECKPOINT_PATH}) in the format of C2SP tlog-checkpoint:

\`\`\`sh
curl -fsS ${address}/${CHECKPOINT_PATH}
\`\`\`

The record of each version has the SHA-256 of its tarball in the field \`integrity\`, as Base64.

## What is not promised

- The log does not state that a build is good, only that everyone gets the same one.
- Pages are not in the map of the log. An install reads none of them.
- Without witnesses nobody else states the time of a checkpoint.
`,
  };
}
