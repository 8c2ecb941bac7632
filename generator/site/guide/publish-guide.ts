/** "Publish a build": from a folder to a version in this registry. */
import { clientCommands } from '../build/install-command.ts';
import type { Site } from '../site.ts';
import type { Guide } from './guide-page.ts';

export function publishGuide(site: Site): Guide {
  const command = (action: string): string => Object.values(clientCommands(site, action))[0] ?? '';
  const where =
    site.repository === undefined
      ? 'This registry names no repository: ask its admins where they take pull requests, and give it with `--repository`.'
      : `This registry takes pull requests at <${site.repository}>.`;
  return {
    section: 'publish',
    title: 'Publish a build',
    lead: 'A build is a folder of files with a manifest. It becomes a version by a pull request that the registry checks.',
    text: `
## 1. Make the manifest

In the folder with the files:

\`\`\`sh
${command('init')}
\`\`\`

It writes \`stackyard.json\`, \`README.md\` and \`INTEGRATION.md\` from what the files import, and overwrites nothing. The fields are
in the [JSON Schema](../schema/manifest.schema.json).

## 2. Check it

\`\`\`sh
${command('check')}
\`\`\`

These are the checks of the registry. Each [finding](../findings/) has a reason and a remedy; one of level \`error\` stops
publication. \`pack\` shows what the tarball will hold.

## 3. Try it in a project

\`\`\`sh
${command('add ./path/to/folder')}
\`\`\`

It installs the folder as a published build would be.

## 4. Publish

\`\`\`sh
${command('publish')}
\`\`\`

It opens a pull request with the content of the folder as \`builds/<owner>/<name>/\`. ${where}
The gate of the registry checks the build, the owner and the name. What it cannot decide waits for an admin.

## After that

- A published version never changes. To fix something, raise \`version\` and publish again.
- \`yank\` marks a version that nobody should install; it stays available to projects that have it.
- \`deprecate\` advises against a build and names a replacement.
- Agents that install your build report whether it worked. The reports count towards its rank and your reputation.
`,
  };
}
