/** The Markdown twin of a build, for agents: what decides and commands first, then the publisher's texts. */
import { failureText, knownGood, rangesOf } from '../../format/index/known-good.ts';
import { wilsonLowerBound } from '../../format/index/wilson.ts';
import { tarballPath, urlPath } from '../../format/index/layout.ts';
import { actionOf, clientCommands } from './build/install-command.ts';
import { type BuildView, measuredOf } from './build/build-view.ts';
import { decisionOf } from './build/decision.ts';
import { destinationOf } from './build/files-panel.ts';
import { percent } from './figures.ts';
import { plain, replaceHidden } from './visible-text.ts';
import type { PageSite } from './site.ts';
import { reasonOf, statusText } from '../../format/registry/status.ts';
import { describeWaived, waiverOf } from '../../format/index/waivers.ts';

/** Files that it lists; the record has all. */
const MAX_FILES = 300;

export function buildTwin(site: PageSite, view: BuildView): string {
  const { latest: record, providers } = view;
  const { id, kind, version, manifest } = record;
  const decision = decisionOf(view);
  const { safety, fits, writes, edits, needs, byHand } = decision;
  const [command = ''] = Object.values(clientCommands(site, actionOf({ id, kind })));
  const { success, failure } = record.agent_reports;
  const bound = percent(wilsonLowerBound(success, success + failure));
  const reports =
    success + failure === 0
      ? 'none'
      : `${success} of ${success + failure} succeeded, at least ${bound} (95 %)`;
  const parts = [
    `# ${id} ${version}\n\n> ${plain(record.description)}`,
    safety
      .map(({ text, advisory, replacement }) => {
        const more = advisory === undefined ? '' : ` (${advisory})`;
        return `**${text}${more}.${replacement === undefined ? '' : ` Use ${replacement}.`}**`;
      })
      .join('\n\n'),
    `    ${command}`,
    list([
      ['Fits', fits.join('; ')],
      ['Writes', writes],
      ['Edits', edits.join(', ')],
      ['Needs', needs.join(', ')],
      ['By hand', byHand],
      ['Foundations that bring what it requires', view.foundations.join(', ')],
      ['Modules to add next', view.modules.join(', ')],
      ['Kind', kind],
      ['Licence', plain(record.license)],
      ['Risk', record.risk],
      ['Quality', `${record.quality} of 100`],
      ['Downloads', String(record.downloads)],
      ['Agent reports', reports],
      ['Published', record.published_at],
      ['Integrity', record.integrity],
      ['Tarball', `/${urlPath(tarballPath(id, version))}`],
      ['Repository', plain(record.repository)],
    ]),
    section('Requires', [
      ...pairs(manifest.stack?.requires, (tag, range) => {
        const named = providers[tag] ?? [];
        const by = named.length === 0 ? '' : `, provided by ${named.join(', ')}`;
        return `stack \`${tag}\` ${range}${by}`;
      }),
      ...pairs(manifest.builds, (one, range) => `build \`${one}\` ${range}`),
      ...pairs(manifest.dependencies?.npm, (name, range) => `npm \`${name}\` ${range}`),
      ...pairs(manifest.dependencies?.pip, (name, range) => `pip \`${name}\` ${range}`),
    ]),
    compatibility(view),
    section(
      'Provides',
      (manifest.stack?.provides ?? []).map((tag) => `\`${tag}\``),
    ),
    section(
      'Environment variables',
      pairs(manifest.env, (name, { required = false, description = '' }) => {
        return `\`${name}\` (${required ? 'required' : 'optional'}): ${plain(description)}`;
      }),
    ),
    section('Files, by their place in a project', [
      ...record.files.slice(0, MAX_FILES).map(({ path, size }) => {
        return `\`${plain(destinationOf(path, manifest.base))}\` ${size} bytes`;
      }),
      ...(record.files.length > MAX_FILES ? [`and ${record.files.length - MAX_FILES} more`] : []),
    ]),
    section(
      'Findings',
      record.checks.findings.map((one) => {
        return `${one.level} \`${one.code}\`${one.file === '' ? '' : ` in \`${plain(one.file)}\``}: ${plain(one.message)}${plain(describeWaived(waiverOf(view.waivers, record.version, one)))}`;
      }),
    ),
    section(
      'Versions',
      view.head.versions.map((one) => {
        const { version: number, published_at, risk, status, advisories = [] } = one;
        const word = `, ${plain(statusText(status))}: ${plain(reasonOf(status))}`;
        const faults = advisories.map((name) => `, ${name}`).join('');
        return `${number}, ${published_at.slice(0, 10)}, risk ${risk}${faults}${status.is === 'open' ? '' : word}`;
      }),
    ),
    publisherText('Integration guide', record.integration),
    publisherText('README', record.readme),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function compatibility(view: BuildView): string {
  const ranges = rangesOf(view.latest.manifest);
  const measured = measuredOf(view);
  return section(
    `Compatibility, measured with version ${measured?.version}`,
    knownGood(measured?.results ?? []).map((one) => {
      const bad = [one.firstBad, one.badBelow].flatMap((found) => {
        return found === undefined ? [] : [`${found.version} (${plain(failureText(found.row))})`];
      });
      const good = `last known good ${one.lastGood ?? 'none'}`;
      const range = plain(ranges[one.tag] ?? '');
      return `\`${one.tag}\` ${range}: ${good}, first known bad ${bad.join(', ') || 'none'}`;
    }),
  );
}

function list(rows: readonly (readonly [string, string])[]): string {
  const shown = rows.filter(([, value]) => value !== '');
  return shown.map(([name, value]) => `- ${name}: ${value}`).join('\n');
}

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `## ${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}

function pairs<Value>(
  map: Readonly<Record<string, Value>> | undefined,
  write: (name: string, value: Value) => string,
): string[] {
  return Object.entries(map ?? {}).map(([name, value]) => write(name, value));
}

/** As the publisher wrote it, below a heading that states whose text it is. */
function publisherText(title: string, text: string): string {
  if (text.trim() === '') return '';
  const shown = replaceHidden(text.replace(/\r\n?/g, '\n').trim(), (name) => `[${name}]`);
  return `## ${title}\n\nText of the publisher:\n\n${shown}`;
}
