/**
 * What tools of others read from the address of a registry. Renovate: `renovate.json` is a preset that finds the installed builds in locks
 * and their versions in heads; what an update changes, `stackyard update` does.
 *
 * What Backstage reads from the address of a registry: `backstage.yaml` is a location of the files below `backstage/`, in which each
 * build is a component, and each foundation a template that calls the action of `backstage/stackyard-actions.ts`. Its documents are
 * JSON, which is YAML.
 */
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { CLIENT_PATH, headPath } from '../../format/index/layout.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import { isPrerelease } from '../../format/version/semver-range.ts';
import { backstagePath, buildFolder } from '../../format/index/site-path.ts';
import { plain } from './html.ts';
import type { Site } from './site.ts';

/** What Backstage takes as a tag. */
const TAG = /^[a-z0-9:+#]+(?:-[a-z0-9:+#]+)*$/;

/** @param hashes `ownerHash()` of each owner, once */
export function backstageLocation({ name }: Pick<Site, 'name'>, hashes: readonly string[]): string {
  return yamlOf({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Location',
    metadata: { name: 'stackyard', description: `Builds of ${plain(name)}` },
    spec: { type: 'url', targets: hashes.map((hash) => `./${backstagePath(hash)}`) },
  });
}

/** The builds of the owners with one `ownerHash()`, without those of which every version is yanked. */
export function backstageEntities(
  { address }: Pick<Site, 'address'>,
  builds: readonly BuildSummary[],
): string {
  const there = builds.filter(({ yanked }) => !yanked);
  return there.flatMap((build) => entitiesOf(address, build).map(yamlOf)).join('');
}

function yamlOf(entity: object): string {
  return `---\n${JSON.stringify(entity, null, 2)}\n`;
}

function entitiesOf(address: string, build: BuildSummary): object[] {
  const { id, kind, latest, deprecated, risk, advisories = [], description, keywords } = build;
  // A name of both parts could be too long.
  const [namespace = '', name = ''] = id.split('/');
  const metadata = {
    name,
    namespace,
    title: id,
    description: plain(description),
    annotations: {
      'stackyard/build': id,
      'stackyard/version': latest,
      'stackyard/risk': risk,
      ...(advisories.length > 0 && { 'stackyard/advisories': advisories.join(',') }),
    },
    tags: [...new Set(keywords)].filter((word) => TAG.test(word) && word.length < 64),
    links: [{ url: `${address}/${buildFolder(id)}index.html`, title: 'Build' }],
  };
  // A group of this name, where the catalogue has one.
  const owner = `group:default/${namespace}`;
  const isEarly = latest.startsWith('0.') || isPrerelease(latest);
  const lifecycle = deprecated ? 'deprecated' : isEarly ? 'experimental' : 'production';
  const component = {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata,
    spec: { type: `stackyard-${kind}`, lifecycle, owner },
  };
  if (kind !== 'foundation' || deprecated || risk === 'danger') return [component];
  const template = {
    apiVersion: 'scaffolder.backstage.io/v1beta3',
    kind: 'Template',
    metadata,
    spec: { type: 'service', owner, ...startFrom(id) },
  };
  return [component, template];
}

/** The questions are those of `stackyard new`. */
function startFrom(foundation: string): object {
  const choice = (title: string, names: string[]) => ({ title, type: 'string', enum: names });
  const module = { type: 'string', pattern: '^[a-z0-9-]+/[a-z0-9-]+$' };
  const properties = {
    name: { title: 'Name', type: 'string', pattern: '^[a-z0-9][a-z0-9-]*$', maxLength: 50 },
    modules: { title: 'Modules', type: 'array', items: module, uniqueItems: true },
    database: choice('Database', ['none', 'sqlite', 'postgres']),
    accounts: { title: 'Accounts', type: 'boolean' },
    packageManager: choice('Package manager', ['npm', 'pnpm', 'yarn', 'bun']),
  };
  const names = Object.keys(properties);
  const answers = Object.fromEntries(names.map((name) => [name, `\${{ parameters.${name} }}`]));
  const step = { id: 'new', name: `Start from ${foundation}`, action: 'stackyard:new' };
  return {
    parameters: [{ title: 'Project', required: ['name'], properties }],
    steps: [{ ...step, input: { foundation, ...answers } }],
    output: { text: [{ title: 'Next', content: '${{ steps.new.output.next }}' }] },
  };
}

const SOURCE = 'stackyard';
/** A build of a lock, whose fields stand in the order of their names. */
const BUILD =
  '\\n {4}"(?<depName>[a-z0-9-]+/[a-z0-9-]+)": \\{(?:\\n {6}.*)*?\\n {6}"version": "(?<currentValue>[^"]+)"';

/** The commands that an operator of Renovate allows (`allowedCommands`). */
function renovateCommands({ address }: Pick<Site, 'address'>): string[] {
  const ids = '{{#each upgrades}}{{{depName}}}@{{{newVersion}}} {{/each}}';
  // The fields of a branch are those of its updates.
  const first = (name: string): string =>
    `{{#each upgrades}}{{#if @first}}{{{${name}}}}{{/if}}{{/each}}`;
  return [
    // Renovate has written the new version into the lock, which states more than that.
    `git checkout -- ${first('packageFile')}`,
    `npx --yes ${address}/${CLIENT_PATH} update ${ids}--conflict markers --no-input -C ./${first('packageFileDir')}`,
  ];
}

/** The text; `undefined` for a registry without an address, or without a client. */
export function renovatePreset(site: Site): string | undefined {
  if (site.address === '' || !site.hasClient) return undefined;
  const released = '{"version": version, "releaseTimestamp": published_at}';
  const preset = {
    $schema: 'https://docs.renovatebot.com/renovate-schema.json',
    description: `Builds of ${site.name}`,
    customDatasources: {
      [SOURCE]: {
        // A name has a "/", which the address keeps.
        defaultRegistryUrlTemplate: `${site.address}/${headPath('{{packageName}}')}`,
        format: 'json',
        transformTemplates: [`{"releases": [versions[yanked = false].${released}]}`],
      },
    },
    customManagers: [
      {
        customType: 'regex',
        managerFilePatterns: [`/(^|/)${LOCK_FILE.replaceAll('.', '\\.')}$/`],
        matchStrings: [BUILD],
        datasourceTemplate: `custom.${SOURCE}`,
        versioningTemplate: 'semver',
      },
    ],
    packageRules: [
      {
        matchDatasources: [`custom.${SOURCE}`],
        postUpgradeTasks: {
          commands: renovateCommands(site),
          fileFilters: ['**/*'],
          executionMode: 'branch',
        },
      },
    ],
  };
  return `${JSON.stringify(preset, null, 2)}\n`;
}
