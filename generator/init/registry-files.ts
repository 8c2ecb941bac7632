/** The files of a new registry. */
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { issueForms } from './issue-forms.ts';
import type { RegistryOptions } from './registry-options.ts';
import { registryWorkflows } from './registry-workflows.ts';

/** Path to text. */
export function registryFiles({ config, software }: RegistryOptions): Record<string, string> {
  const workflows =
    software === undefined
      ? {}
      : { ...registryWorkflows(software, config.base_url), ...issueForms() };
  return {
    [CONFIG_FILE]: `${JSON.stringify(config, null, 2)}\n`,
    'builds/.gitkeep': '',
    '.gitignore': '/index/\n/.index.*\n/.ingest.*\nnode_modules/\n*.key\n',
    'README.md': readme(config.name, config.base_url),
    ...workflows,
  };
}

function readme(name: string, address: string): string {
  const at = address === '' ? 'http://127.0.0.1:4173' : address;
  return `# ${name}

A registry of reusable project builds. Its index is generated from the history of this repository.

## Use a build

\`\`\`sh
npx --yes ${at}/client/stackyard.tgz search
npx --yes ${at}/client/stackyard.tgz add <owner>/<name>
\`\`\`

## Publish a build

Put it below \`builds/<your login>/<name>/\` with a \`stackyard.json\`, and the first time add
\`builds/<your login>/owner.json\` with your account id: \`{ "account_id": 123 }\`. Open a pull request with nothing else.
It is judged by rules: merged, left to an admin, or refused with the reasons. The client does all of it:

\`\`\`sh
stackyard init && stackyard check && stackyard publish
\`\`\`

A published version never changes: correct it with a new one.

## Run it

\`\`\`sh
npx stackyard-registry serve
\`\`\`
`;
}
