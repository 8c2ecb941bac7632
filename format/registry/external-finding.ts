/**
 * Findings of other scanners, from SARIF 2.1.0 (OASIS). They are evidence of their own: `caution` at most, and no part
 * of a record, which depends only on the build.
 */
import { z } from 'zod';
import { parseDocument } from '../document/document.ts';
import { characterClass } from '../unicode.ts';

const UNPRINTABLE = new RegExp(`[${characterClass('C', 'Z')}]+`, 'gu');

/** What another scanner reports about a file. */
export interface ExternalFinding {
  readonly level: 'warn' | 'info';
  readonly scanner: string;
  /** `""` when the log has none. */
  readonly version: string;
  readonly rule: string;
  /** As the scanner wrote it, decoded: relative, or absolute on its machine; `""` when it names no file. */
  readonly path: string;
  /** From 1; 0 when no line is meant. */
  readonly line: number;
  /** One printable line. */
  readonly message: string;
}

const MAX_FINDINGS = 1000;
const MAX_NAME = 100;
const MAX_MESSAGE = 300;
const MAX_PATH = 1000;

const Location = z.object({
  physicalLocation: z
    .object({
      artifactLocation: z.object({ uri: z.string().optional() }).optional(),
      region: z.object({ startLine: z.number().optional() }).optional(),
    })
    .optional(),
});
const Result = z.object({
  ruleId: z.string().optional(),
  rule: z.object({ id: z.string().optional() }).optional(),
  level: z.string().optional(),
  kind: z.string().optional(),
  message: z.object({ text: z.string().optional() }).optional(),
  locations: z.array(Location).optional(),
  suppressions: z.array(z.unknown()).nullish(),
});
const Sarif = z.object({
  version: z.literal('2.1.0'),
  runs: z.array(
    z.object({
      tool: z.object({
        driver: z.object({
          name: z.string(),
          version: z.string().optional(),
          semanticVersion: z.string().optional(),
        }),
      }),
      results: z.array(Result).nullish(),
    }),
  ),
});

/**
 * The findings of a SARIF log, at most a thousand. Results that report success or that are suppressed are left out.
 *
 * @param bytes from a scanner, which read files of publishers: untrusted
 * @throws {FormatError} `ERR_DOCUMENT`
 */
export function parseSarif(bytes: Uint8Array, name: string): ExternalFinding[] {
  return parseDocument(Sarif, bytes, name)
    .runs.flatMap(({ tool: { driver }, results }) =>
      (results ?? [])
        .filter(({ kind = 'fail', suppressions }) => kind === 'fail' && !suppressions?.length)
        .slice(0, MAX_FINDINGS)
        .map((result): ExternalFinding => {
          const place = result.locations?.[0]?.physicalLocation;
          const line = place?.region?.startLine ?? 0;
          return {
            level: result.level === 'note' || result.level === 'none' ? 'info' : 'warn',
            scanner: oneLine(driver.name, MAX_NAME),
            version: oneLine(driver.semanticVersion ?? driver.version ?? '', MAX_NAME),
            rule: oneLine(result.ruleId ?? result.rule?.id ?? '', MAX_NAME),
            path: decoded(place?.artifactLocation?.uri ?? ''),
            line: Number.isSafeInteger(line) && line > 0 ? line : 0,
            message: oneLine(result.message?.text ?? '', MAX_MESSAGE),
          };
        }),
    )
    .slice(0, MAX_FINDINGS);
}

/**
 * The path of a finding below `folder`, with `/`; `undefined` when it points elsewhere.
 *
 * @param folder absolute path of the folder that was scanned
 */
export function pathBelow(folder: string, path: string): string | undefined {
  const root = `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
  const plain = path.replaceAll('\\', '/').replace(/^file:\/\/(?:localhost)?/i, '');
  const isAbsolute = /^(?:\/|[a-z]:\/)/i.test(plain);
  if (/^[a-z][a-z0-9+.-]+:/i.test(plain) && !isAbsolute) return undefined;
  const start = root.startsWith('/') ? plain : plain.replace(/^\/(?=[a-z]:)/i, '');
  if (isAbsolute && !start.startsWith(root)) return undefined;
  const kept: string[] = [];
  for (const part of (isAbsolute ? start.slice(root.length) : plain).split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && kept.pop() === undefined) return undefined;
    if (part !== '..') kept.push(part);
  }
  return kept.length === 0 ? undefined : kept.join('/');
}

/** `GuardDog 3.2.0 shady-links: the message`. */
export function describeExternal({ scanner, version, rule, message }: ExternalFinding): string {
  const by = [scanner, version, rule].filter((part) => part !== '').join(' ');
  return message === '' ? by : `${by}: ${message}`;
}

function decoded(uri: string): string {
  const cut = uri.slice(0, MAX_PATH);
  try {
    return decodeURIComponent(cut);
  } catch {
    return cut;
  }
}

function oneLine(text: string, limit: number): string {
  const line = text
    .slice(0, 10 * limit)
    .toWellFormed()
    .replaceAll(UNPRINTABLE, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit).toWellFormed()}...` : line;
}
