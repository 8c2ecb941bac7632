/** "Verify this registry": what nobody has to believe. */
import { CHECKPOINT_PATH } from '../../../format/index/layout.ts';
import { UNKNOWN_ADDRESS } from '../build/install-command.ts';
import type { Site } from '../site.ts';
import type { Guide } from './guide-page.ts';

export function verifyGuide(site: Site): Guide {
  const address = site.address === '' ? UNKNOWN_ADDRESS : site.address;
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

\`stackyard verify\` compares what is installed with the lock, and the proofs in the lock with the log:

\`\`\`sh
stackyard verify
\`\`\`

## The whole registry

An audit reads the log, its map and everything that is served, and compares each digest:

\`\`\`sh
stackyard audit --registry ${address}
\`\`\`

With a clone of the repository it also builds everything again, and compares the bytes:

\`\`\`sh
stackyard-registry audit ${address} --repo ../clone-of-the-registry
\`\`\`

## By hand

The checkpoint of the log is [a signed note](../${CHECKPOINT_PATH}) in the format of C2SP tlog-checkpoint:

\`\`\`sh
curl -fsS ${address}/${CHECKPOINT_PATH}
\`\`\`

The page of each version has its digest and the command that compares it with the tarball.

## What is not promised

- The log does not state that a build is good, only that everyone gets the same one.
- Pages are not in the map of the log. An install reads none of them.
- Without witnesses nobody else states the time of a checkpoint.
`,
  };
}
