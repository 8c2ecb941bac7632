/** Logs in SARIF 2.1.0 (OASIS), which code hosts and scanners import and show in place. */

export type SarifLevel = 'error' | 'warning' | 'note';

export interface SarifRule {
  readonly id: string;
  readonly level: SarifLevel;
  readonly why: string;
  readonly remedy: string;
  readonly tags: readonly string[];
}

export interface SarifResult {
  /** The id of a rule. */
  readonly rule: string;
  readonly level: SarifLevel;
  readonly text: string;
  /** From the root of what was examined, with `/`. */
  readonly path: string;
  /** Absent: about the whole file. */
  readonly place?: { readonly line: number; readonly column: number; readonly length: number };
  /** What stays the same when the text changes: code hosts recognise the result by it. */
  readonly identity?: string;
}

/**
 * A log with one run.
 * @param version of the program that found the results
 */
export function sarifLog(
  name: string,
  version: string,
  rules: readonly SarifRule[],
  results: readonly SarifResult[],
): object {
  const ids = rules.map(({ id }) => id);
  return {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name, version, semanticVersion: version, rules: rules.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        results: results.map(({ rule, level, text, path, place, identity }) => ({
          ruleId: rule,
          ruleIndex: ids.indexOf(rule),
          level,
          message: { text },
          locations: [{ physicalLocation: locationOf(path, place) }],
          ...(identity === undefined ? {} : { partialFingerprints: { 'stackyard/v1': identity } }),
        })),
      },
    ],
  };
}

function ruleOf({ id, level, why, remedy, tags }: SarifRule): object {
  return {
    id,
    shortDescription: { text: id },
    fullDescription: { text: why },
    help: { text: remedy },
    defaultConfiguration: { level },
    properties: { tags },
  };
}

function locationOf(path: string, place: SarifResult['place']): object {
  const segments = path.split('/').filter((segment) => segment !== '');
  const region =
    place === undefined
      ? { startLine: 1 }
      : {
          startLine: place.line,
          startColumn: place.column,
          ...(place.length > 0 ? { endColumn: place.column + place.length } : {}),
        };
  return { artifactLocation: { uri: segments.map(encodeURIComponent).join('/') }, region };
}

/** What is found about installed builds, in one project or in many: level, why, and what to do. */
const INSTALLED = {
  'build-advisory': [
    'error',
    'An advisory names a fault of the installed version, or of a package that it brings.',
    'Update to the first version without it: "stackyard update <build>".',
  ],
  'build-withdrawn': [
    'error',
    'The installed version was yanked, withdrawn or taken down: new installs choose another one.',
    'Update the build, or remove it: "stackyard update <build>", "stackyard remove <build>".',
  ],
  'build-left': [
    'warning',
    'The build is deprecated, goes on under another id, or is not in its registry any more.',
    '"stackyard outdated" states what replaces it.',
  ],
  'lock-unreadable': [
    'warning',
    'The lock of the project cannot be read, so that nothing is known about its builds.',
    'Restore stackyard.lock.json from git, or use the version of the program that wrote it.',
  ],
  'build-behind': [
    'note',
    'The registry has a newer version of the build.',
    'Update it: "stackyard update <build>" keeps your edits.',
  ],
  'project-unproven': [
    'note',
    'The last change of builds was not proved, or its checks failed.',
    'Run the next update with --prove.',
  ],
  'build-edited': [
    'note',
    'Files of the build differ from what was installed: an update merges them.',
    '"stackyard diff" shows the edits.',
  ],
} as const satisfies Record<string, readonly [SarifLevel, string, string]>;

type InstalledRule = keyof typeof INSTALLED;

/** Most urgent first. */
const INSTALLED_RULES = Object.keys(INSTALLED) as InstalledRule[];

export interface InstalledResult {
  readonly rule: InstalledRule;
  readonly text: string;
  readonly path: string;
  readonly place?: NonNullable<SarifResult['place']>;
  readonly identity: string;
}

/** @param name of the program that found them */
export function installedSarif(
  name: string,
  version: string,
  results: readonly InstalledResult[],
): object {
  const rules = INSTALLED_RULES.map((id): SarifRule => {
    const [level, why, remedy] = INSTALLED[id];
    return { id, level, why, remedy, tags: [level === 'error' ? 'security' : 'maintenance'] };
  });
  const all = results.map((one) => ({ ...one, level: INSTALLED[one.rule][0] }));
  return sarifLog(name, version, rules, all);
}
