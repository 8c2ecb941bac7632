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
- The package \`stackyard-registry\`, whose programs judge proposals, read that history and write the index: tarballs, records, heads, catalog, log, and
  these pages.
- Any static host with https. The index has its own \`_headers\` file.

## Set it up

1. Make the repository, with yourself as its admin and the address that it will have:

   \`\`\`sh
   stackyard-registry init our-builds --name "Our builds" --admin alice:123 --origin builds.example.org
   \`\`\`

2. Add a build below \`builds/\`, commit, and look at the result:

   \`\`\`sh
   stackyard-registry serve
   \`\`\`

3. Let your CI make the index on every push, and upload it to a bucket or a folder:

   \`\`\`sh
   stackyard-registry generate
   stackyard-registry deploy s3://our-builds
   \`\`\`

4. Make a key for the transparency log with \`stackyard-registry log:key\`, keep the private one as a secret of the CI, and name the public one
   in \`registry.config.json\`.

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
