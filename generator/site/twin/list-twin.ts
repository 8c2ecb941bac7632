/** The Markdown twins of lists: builds with their paths, tags with their numbers. */
import type { BuildSummary } from '../../../format/index/catalog.ts';
import { buildFolder, tagFolder } from '../../../format/index/site-path.ts';
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
          `- [${one.id}](${link(`${buildFolder(one.id)}index.md`)}) ${one.latest} (${one.kind}, quality ${one.quality}${one.risk === 'ok' ? '' : `, risk ${one.risk}`}${one.deprecated ? ', deprecated' : ''}${(one.advisories ?? []).map((id) => `, ${id}`).join('')}): ${plain(one.description)}`,
      );
      return `## ${name}\n\n${items.join('\n')}\n`;
    });
  return `# ${plain(title)}\n\n> ${lead}\n\n${shown.join('\n')}`;
}

/** @param path of the twin */
export function tagsTwin(path: string, tags: readonly LabelCount[]): string {
  const link = linkFrom(path);
  const items = tags.flatMap(({ name, count }) => {
    const folder = tagFolder(name);
    return folder === undefined
      ? []
      : [`- [${plain(name)}](${link(`${folder}index.md`)}): ${count}`];
  });
  return `# Stack tags\n\n${items.join('\n')}\n`;
}
