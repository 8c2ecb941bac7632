/** `signals/<owner>/<name>.json`: what happened after publication, written by the ingest command only. */
import { z } from 'zod';
import { canonicalJson } from '../document/canonical-json.ts';
import { Timestamp } from '../index/record.ts';
import { isVersion } from '../version/version.ts';

const Count = z.int().min(0);
const Source = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/);
const Month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);
const Version = z.string().refine(isVersion, { error: 'not a semver version' });

const Months = z.record(Source, z.record(Month, z.record(Version, Count)));
/** Collector to month to version to downloads. */
type MonthCounts = z.infer<typeof Months>;

export const Signals = z
  .strictObject({
    downloads: Count.default(0),
    earlier: Count.optional().describe('Of these, what was counted before months were kept.'),
    months: Months.optional().describe(
      'Downloads by the collector that counted them, month and version.',
    ),
    agent_reports: z.strictObject({ success: Count, failure: Count }).default({
      success: 0,
      failure: 0,
    }),
    flags: Count.default(0).describe('Open moderation flags.'),
    upheld: Count.optional().describe('Versions with an upheld flag.'),
    updated_at: Timestamp,
  })
  .refine((s) => s.months === undefined || s.downloads === (s.earlier ?? 0) + sumOf(s.months), {
    error: 'must be "earlier" and all of "months" added up',
    path: ['downloads'],
  })
  .meta({ title: 'Stackyard signals' });
export type Signals = z.infer<typeof Signals>;

/** The signals of a build without any. */
export const NO_SIGNALS: Signals = {
  downloads: 0,
  agent_reports: { success: 0, failure: 0 },
  flags: 0,
  updated_at: '1970-01-01T00:00:00.000Z',
};

/**
 * The merger of two files of one build. Each download counter belongs to one collector and only
 * grows, so the higher value is the newer one; reports and flags are recounted as a whole, so the newer
 * file has them. Commutative, associative and idempotent: files may be merged in any order, repeatedly.
 */
export function mergeSignals(a: Signals, b: Signals): Signals {
  const months = mergeCounts(a.months ?? {}, b.months ?? {});
  const earlier = Math.max(earlierOf(a), earlierOf(b));
  const newer = isNewer(b, a) ? b : a;
  return withDownloads(newer, earlier, months);
}

/** `signals` with these reports and flags instead of its own. */
export function withStatements(
  signals: Signals,
  statements: Pick<Signals, 'agent_reports' | 'flags' | 'upheld' | 'updated_at'>,
): Signals {
  const merged = { ...statements, updated_at: laterOf(signals.updated_at, statements.updated_at) };
  return withDownloads({ ...NO_SIGNALS, ...merged }, earlierOf(signals), signals.months ?? {});
}

function withDownloads(rest: Signals, earlier: number, months: MonthCounts): Signals {
  const hasMonths = Object.keys(months).length > 0;
  return {
    downloads: earlier + sumOf(months),
    ...(hasMonths && earlier > 0 ? { earlier } : {}),
    ...(hasMonths ? { months } : {}),
    agent_reports: { ...rest.agent_reports },
    flags: rest.flags,
    ...((rest.upheld ?? 0) > 0 ? { upheld: rest.upheld } : {}),
    updated_at: rest.updated_at,
  };
}

function earlierOf(signals: Signals): number {
  return signals.months === undefined ? signals.downloads : (signals.earlier ?? 0);
}

/** Equal times are decided by content, so that the order of merging does not matter. */
function isNewer(a: Signals, b: Signals): boolean {
  if (a.updated_at !== b.updated_at) return a.updated_at > b.updated_at;
  return statementsJson(a) > statementsJson(b);
}

function statementsJson({ agent_reports, flags, upheld = 0 }: Signals): string {
  return canonicalJson({ agent_reports, flags, upheld });
}

function laterOf(a: string, b: string): string {
  return a > b ? a : b;
}

function mergeCounts(a: MonthCounts, b: MonthCounts): MonthCounts {
  return mergeKeys(a, b, (x, y) =>
    mergeKeys(x, y, (m, n) => mergeKeys(m, n, (p, q) => Math.max(p, q))),
  );
}

function mergeKeys<Value>(
  a: Readonly<Record<string, Value>>,
  b: Readonly<Record<string, Value>>,
  merge: (x: Value, y: Value) => Value,
): Record<string, Value> {
  const merged: Record<string, Value> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const other = a[key];
    merged[key] = other === undefined ? value : merge(other, value);
  }
  return merged;
}

function sumOf(months: MonthCounts): number {
  let sum = 0;
  for (const source of Object.values(months)) {
    for (const month of Object.values(source)) {
      for (const count of Object.values(month)) sum += count;
    }
  }
  return sum;
}
