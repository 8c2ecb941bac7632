/** The Markdown twin of a list of builds, for agents. */
import type { BuildSummary } from '../../format/index/record.ts';
import { buildFolder } from '../../format/index/site-path.ts';
import { linkFrom } from './link.ts';
import { plain } from './visible-text.ts';

interface TwinPart {
  readonly title: string;
  readonly builds: readonly BuildSummary[];
}

/** @param path of the twin */
export function buildsTwin(
  path: string,
  title: string,
  lead: string,
  parts: readonly TwinPart[],
): string {
  const link = linkFrom(path);
  const shown = parts
    .filter(({ builds }) => builds.length > 0)
    .map(({ title: name, builds }) => {
      const items = builds.map(
        (one) =>
          `- [${one.id}](${link(`${buildFolder(one.id)}index.md`)}) ${one.latest} (${one.kind}, quality ${one.quality}${one.risk === 'ok' ? '' : `, risk ${one.risk}`}${one.deprecated ? ', deprecated' : ''}${(one.advisories ?? []).map((id) => `, ${id}`).join('')}): ${plain(one.description)}`,
      );
      return `## ${name}\n\n${items.join('\n')}\n`;
    });
  return `# ${plain(title)}\n\n> ${lead}\n\n${shown.join('\n')}`;
}
