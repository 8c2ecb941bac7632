// One page of the export, over the statements of accounts and those of CI runs. A cursor is a place among each:
//
//   120        after 120 of accounts, before all of CI runs
//   120.7

import type { StoredLine } from './statement-store.ts';

interface Cursor {
  readonly accounts: number;
  readonly ci: number;
}

interface Lines {
  list(after: number, before: string, limit: number): Promise<readonly StoredLine[]>;
}

/** The cursor of a query; `undefined` for anything else. */
export function tryParseCursor(text: unknown): Cursor | undefined {
  if (text === undefined) return { accounts: 0, ci: 0 };
  const form = /^(0|[1-9]\d{0,14})(?:\.(0|[1-9]\d{0,14}))?$/;
  const [, accounts, ci = '0'] = (typeof text === 'string' ? form.exec(text) : undefined) ?? [];
  return accounts === undefined ? undefined : { accounts: Number(accounts), ci: Number(ci) };
}

/** The inverse of `tryParseCursor`. */
export function formatCursor({ accounts, ci }: Cursor): string {
  return ci === 0 ? String(accounts) : `${accounts}.${ci}`;
}

/** At most `limit` lines that arrived before `before`: first those of accounts. */
export async function listExport(
  [accounts, ci]: readonly [accounts: Lines, ci: Lines | undefined],
  after: Cursor,
  before: string,
  limit: number,
): Promise<{ readonly lines: readonly string[]; readonly next: Cursor }> {
  const first = await accounts.list(after.accounts, before, limit);
  const left = limit - first.length;
  const second = left > 0 ? ((await ci?.list(after.ci, before, left)) ?? []) : [];
  return {
    lines: [...first, ...second].map(({ line }) => line),
    next: {
      accounts: first.at(-1)?.cursor ?? after.accounts,
      ci: second.at(-1)?.cursor ?? after.ci,
    },
  };
}
