/** What the manifest states about the build, for search and for the people who choose a build. */
import { MANIFEST_FILE } from '../../../format/build/build-files.ts';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';

const MIN_DESCRIPTION = 40;
const MIN_KEYWORDS = 3;

export const metadata: Rule = {
  name: 'metadata',
  run: ({ manifest }) => {
    const found: Finding[] = [];
    const { length } = manifest.description;
    if (length < MIN_DESCRIPTION)
      found.push(
        finding('metadata-description', MANIFEST_FILE, { length, wanted: MIN_DESCRIPTION }),
      );
    const keywords = new Set(manifest.keywords ?? []).size;
    if (keywords < MIN_KEYWORDS)
      found.push(finding('metadata-keywords', MANIFEST_FILE, { keywords, wanted: MIN_KEYWORDS }));
    const silent = Object.entries(manifest.env ?? {}).filter(
      ([, { description = '' }]) => description.trim() === '',
    );
    const variables = silent.slice(0, 10).map(([name]) => name);
    if (variables.length > 0)
      found.push(finding('metadata-env', MANIFEST_FILE, { variables: variables.join(', ') }));
    return found;
  },
};
