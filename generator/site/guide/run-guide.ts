/** "Run your own registry". */
import type { Site } from '../site.ts';
import type { Guide } from './guide-page.ts';

export function runGuide(site: Site): Guide {
  const source =
    site.repository === undefined ? '' : ` This registry is made from <${site.repository}>.`;
  return {
    section: 'run',
    title: 'Run your own registry',
    lead: 'A registry is a git repository and a folder of static files made from it. It needs no server and no database.',
    text: `
## What it consists of

- A git repository with \`builds/<owner>/<name>/\` and \`registry.config.json\`. Its main line is the history of publications.${source}
- The generator, which reads that history and writes the index: tarballs, records, heads, catalog, log, and these pages.
- Any static host with https. The index has its own \`_headers\` file.

## Set it up

1. Make a repository with a folder \`builds/\` and a configuration:

   \`\`\`json
   { "name": "Our builds", "base_url": "https://builds.example.org", "admins": ["alice"] }
   \`\`\`

2. Generate the index and look at it:

   \`\`\`sh
   npm run generate -- --repo . --out index
   \`\`\`

3. Let your CI do that on every push, and upload the folder. Upload \`registry.json\` last.

4. Make a key for the transparency log with \`npm run log:key\`, keep the private one as a secret of the CI, and name the public one in
   \`registry.config.json\`.

## Use more than one

A project may use several registries at once:

\`\`\`sh
stackyard registry add ours https://builds.example.org
\`\`\`

An owner belongs to one registry in a project, so that no registry takes over the builds of another. A registry may name upstreams,
in which its builds' requirements are looked up.

## Without pages

\`"site": false\` in \`registry.config.json\` leaves out these pages; clients and mirrors do not need them.
\`"site": { "highlighting": false, "images": false }\` keeps them and saves most of the time that they take.
`,
  };
}
