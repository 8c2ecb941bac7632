/** The Markdown twins of lists: builds with their paths, tags and keywords with their numbers. */
import type { BuildSummary } from '../../../format/index/catalog.ts';
import { buildFolder, labelFolder } from '../../../format/index/site-path.ts';
import { plain } from '../html.ts';
import { linkFrom } from '../link.ts';
import type { LabelCount } from '../list/label-list.ts';

export interface TwinPart {
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
          `- [${one.id}](${link(`${buildFolder(one.id)}index.md`)}) ${one.latest} (${one.kind}, quality ${one.quality}${one.risk === 'ok' ? '' : `, risk ${one.risk}`}${one.deprecated ? ', deprecated' : ''}): ${plain(one.description)}`,
      );
      return `## ${name}\n\n${items.join('\n')}\n`;
    });
  return `# ${plain(title)}\n\n> ${lead}\n\n${shown.join('\n')}`;
}

/** @param path of the twin */
export function labelsTwin(
  path: string,
  title: string,
  kind: 'tag' | 'keyword',
  labels: readonly LabelCount[],
): string {
  const link = linkFrom(path);
  const items = labels.flatMap(({ name, count }) => {
    const folder = labelFolder(kind, name);
    return folder === undefined
      ? []
      : [`- [${plain(name)}](${link(`${folder}index.md`)}): ${count}`];
  });
  return `# ${title}\n\n${items.join('\n')}\n`;
}
