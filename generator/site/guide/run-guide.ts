/** "Run your own registry". */
import { clientCommands } from '../build/install-command.ts';
import type { Site } from '../site.ts';
import type { Guide } from './guide-page.ts';

export function runGuide(site: Site): Guide {
  const client = (action: string): string => Object.values(clientCommands(site, action))[0]!;
  const source =
    site.repository === undefined ? '' : ` This registry is made from <${site.repository}>.`;
  return {
    section: 'run',
    title: 'Run your own registry',
    lead: 'A registry is a git repository and a folder of static files made from it. It needs no server and no database.',
    text: `
## What it consists of

- A git repository with \`builds/<owner>/<name>/\` and \`registry.config.json\`. Its main line is the history of publications.${source}
- The package \`stackyard-registry\`, whose programs judge proposals, read that history and write the index: tarballs, records, heads, catalog, log, and
  these pages.
- Any static host with https. The index has its own \`_headers\` file.

## Set it up

1. Install the programs, in a clone of the sources of Stackyard:

   \`\`\`sh
   npm ci && npm run build && npm pack ./generator
   npm install --global ./stackyard-registry-0.1.0.tgz
   \`\`\`

2. Make the repository, with yourself as its admin and the address that it will have:

   \`\`\`sh
   stackyard-registry init our-builds --name "Our builds" --admin alice:123 --origin builds.example.org
   \`\`\`

3. Add a build below \`builds/\` of it, commit, and look at the result there:

   \`\`\`sh
   stackyard-registry serve
   \`\`\`

4. Let your CI make the index on every push, and copy it to the folder of a web server, or to a bucket (\`s3://our-builds\`):

   \`\`\`sh
   stackyard-registry generate
   stackyard-registry deploy file:/var/www/our-builds
   \`\`\`

5. Make a key for the transparency log with \`stackyard-registry log:key\`, keep the private one as a secret of the CI, and name the public one
   in \`registry.config.json\`.

## Use more than one

A project may use several registries at once:

\`\`\`sh
${client('registry add ours https://builds.example.org')}
\`\`\`

An owner belongs to one registry in a project, so that no registry takes over the builds of another. A registry may name upstreams,
in which its builds' requirements are looked up.

## Without pages

\`"site": false\` in \`registry.config.json\` leaves out these pages; clients and mirrors do not need them.
\`"site": { "highlighting": false, "images": false }\` keeps them without the colours of code and the images for previews.
`,
  };
}
