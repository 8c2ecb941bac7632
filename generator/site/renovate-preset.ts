/**
 * What Renovate reads from the address of a registry: `renovate.json` is a preset that finds the installed builds in locks and
 * their versions in records; what an update changes, `stackyard update` does.
 */
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { CLIENT_PATH, recordPath } from '../../format/index/layout.ts';
import type { Site } from './site.ts';

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
        defaultRegistryUrlTemplate: `${site.address}/${recordPath('{{packageName}}')}`,
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
