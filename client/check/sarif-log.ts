/** Findings in SARIF 2.1.0 (OASIS), which code hosts import and show in place. */
import type { Finding } from '../../format/finding/finding.ts';
import type { FindingLevel } from '../../format/finding/texts/finding-text.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import type { FindingCode } from '../../format/finding/catalogue.ts';
import { FINDING_TEXTS } from '../../format/finding/catalogue.ts';

const LEVELS: Readonly<Record<FindingLevel, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warn: 'warning',
  info: 'note',
};

/**
 * A SARIF log with one run.
 * @param folder the build's folder within the repository, `''` for its root: the base of all paths
 */
export function sarifLog(findings: readonly Finding[], version: string, folder: string): object {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const results = findings.map((found) => ({
    ruleId: found.code,
    ruleIndex: codes.indexOf(found.code),
    level: LEVELS[found.level],
    message: { text: findingMessage(found) },
    locations: [{ physicalLocation: physicalLocation(found, folder) }],
  }));
  const driver = { name: 'stackyard', version, semanticVersion: version, rules: codes.map(rule) };
  return {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
}

function rule(code: FindingCode): object {
  const { why, remedy, level, group } = FINDING_TEXTS[code];
  return {
    id: code,
    shortDescription: { text: code },
    fullDescription: { text: why },
    help: { text: remedy },
    defaultConfiguration: { level: LEVELS[level] },
    properties: { tags: [group] },
  };
}

/** A finding about the whole build is placed at its manifest, because code hosts require a file. */
function physicalLocation({ file, place }: Finding, folder: string): object {
  const path = file === '' ? 'stackyard.json' : file;
  const uri = [...folder.split('/'), ...path.split('/')]
    .filter((segment) => segment !== '')
    .map(encodeURIComponent)
    .join('/');
  const region =
    place === undefined
      ? { startLine: 1 }
      : {
          startLine: place.line,
          startColumn: place.column,
          ...(place.length > 0 ? { endColumn: place.column + place.length } : {}),
        };
  return { artifactLocation: { uri }, region };
}
