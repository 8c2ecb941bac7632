/** The record of a build as text, with the commands that install it. */
import { measuredLines, type MeasuredRange } from './measured-ranges.ts';
import { goneProblem, type Head, type PackageRecord } from '../../format/index/record.ts';
import { defaultAddress, type Lock } from '../../format/project/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import type { Registries } from '../registry/registries.ts';
import { suggestedName } from '../registry/registry-entry.ts';
import { type BuildRequest } from '../resolve/request.ts';
import { oneLine } from '../terminal/printable.ts';
import { riskRole, span, type StyledText } from '../terminal/styled-text.ts';
import { describeWaived, waiverOf, type Waivers } from '../../format/index/waivers.ts';

/** How the command that installs the build names the registry. */
interface InstallPlace {
  readonly registry: string;
  readonly prefix: string;
  readonly option: string;
  /** A command that is needed before. */
  readonly first?: string;
}

export async function installPlace(
  registries: Registries,
  { id }: BuildRequest,
  lock: Lock | undefined,
): Promise<InstallPlace> {
  const { name, isLocked, registry } = registries.entryOf(id);
  if (isLocked) {
    const isOwn = name === DEFAULT_REGISTRY_NAME || lock?.builds[id] !== undefined;
    return { registry: name, prefix: isOwn ? '' : `${name}:`, option: '' };
  }
  if (defaultAddress(lock) === undefined) {
    return { registry: name, prefix: '', option: ` --registry ${registry.base}` };
  }
  // The project has a default registry, which --registry does not replace.
  const isTaken = (taken: string): boolean => Object.hasOwn(lock?.registries ?? {}, taken);
  const added = suggestedName((await registry.origin()) ?? '', isTaken);
  const first = `stackyard registry add ${added} ${registry.base}`;
  return { registry: name, prefix: `${added}:`, option: '', first };
}

/** What the registry knows beside the record. */
interface Known {
  readonly head: Head;
  readonly measured: readonly MeasuredRange[];
  readonly waivers: Waivers | undefined;
}

/** The lines of a record, or of one of its texts. */
export function describeRecord(
  record: PackageRecord,
  options: { readonly readme: boolean; readonly integration: boolean },
  { prefix, option, first }: InstallPlace,
  { head, measured, waivers }: Known,
): StyledText[] {
  if (options.readme)
    return [record.readme === '' ? 'This build has no README.md' : record.readme.trimEnd()];
  if (options.integration) {
    return [
      record.integration === '' ? 'This build has no INTEGRATION.md' : record.integration.trimEnd(),
    ];
  }
  const reports = record.agent_reports;
  const isLatest = record.version === record.latest;
  const id = `${prefix}${record.id}`;
  const request = isLatest ? id : `${id}@${record.version}`;
  const marked = ({ version, status }: Head['versions'][number]): string =>
    `${version}${status.is === 'open' ? '' : ` (${status.is})`}`;
  const own = head.versions.find((v) => v.version === record.version);
  const gone = goneProblem(head, record.version);
  const facts: [string, string][] = [
    ['version', `${own === undefined ? record.version : marked(own)}, latest ${record.latest}`],
    ['yanked', own?.status.is === 'yanked' ? own.status.reason : ''],
    ['kind', record.kind],
    ['licence', record.license],
    ['published', `${record.published_at} by ${record.publisher}`],
    ['risk', record.risk],
    ['quality', `${record.quality} of 100`],
    ['reputation', `${record.reputation} of 100`],
    [
      'used',
      `${record.downloads} downloads, ${reports.success} of ${reports.success + reports.failure} reports good`,
    ],
    ['needs', listMap(record.requires)],
    ['requires', listMap(record.manifest.builds ?? {})],
    ['npm', listMap(record.manifest.dependencies?.npm ?? {})],
    ['pip', listMap(record.manifest.dependencies?.pip ?? {})],
    ['provides', record.provides.join(', ')],
    ['variables', Object.keys(record.manifest.env ?? {}).join(', ')],
    [
      'files',
      `${record.files.length}, ${record.files.reduce((sum, f) => sum + f.size, 0)} bytes, in ${record.manifest.base ?? 'the project root'}`,
    ],
    ['integrity', record.integrity],
    // The name of a tree is for programs.
    ['repository', record.repository.startsWith('swh:') ? '' : record.repository],
    ['versions', head.versions.map(marked).join(', ')],
  ];
  const shown = facts.filter(([, value]) => value !== '');
  const findings = record.checks.findings.map((found): StyledText => {
    const { level, file, code } = found;
    const message = `${found.message}${describeWaived(waiverOf(waivers, record.version, found))}`;
    const place = file === '' ? [] : [span('path', file), '  '];
    const name = span('faint', `[${code}]`);
    return ['  ', span(LEVELS[level], level), '  ', ...place, oneLine(message), ' ', name];
  });
  const command = (label: string, text: string): StyledText => [label, span('command', text)];
  const ways = [
    ...(first === undefined ? [] : [command('First:   ', first)]),
    record.kind === 'foundation'
      ? command('Start:   ', `stackyard new ${request} <folder>${option}`)
      : command('Install: ', `stackyard add ${request}${option}`),
    ...(record.checks.findings.some(({ code }) => code === 'guide-integration-missing')
      ? []
      : [command('Steps:   ', `stackyard info ${request} --integration`)]),
  ];
  return [
    [span('strong', record.id), `  ${oneLine(record.description)}`],
    '',
    ...shown.map(([name, value]) => factLine(name, oneLine(value), record)),
    ...(measured.length === 0
      ? []
      : ['', [span('strong', 'measured compatibility')], ...measuredLines(measured)]),
    ...(findings.length === 0 ? [] : ['', [span('strong', 'findings')], ...findings]),
    '',
    ...(gone === undefined ? ways : [[span('bad', oneLine(gone.text))], `Hint: ${gone.hint}`]),
  ];
}

const LEVELS = { info: 'faint', warn: 'changed', error: 'bad' } as const;

function factLine(name: string, value: string, { risk }: PackageRecord): StyledText {
  const label = ['  ', span('faint', name), ' '.repeat(12 - name.length)];
  if (name === 'risk') return [...label, span(riskRole(risk), value)];
  return [...label, name === 'version' ? span('number', value) : value];
}

function listMap(map: Readonly<Record<string, string>>): string {
  return Object.entries(map)
    .map(([name, range]) => `${name} ${range}`)
    .join(', ');
}
