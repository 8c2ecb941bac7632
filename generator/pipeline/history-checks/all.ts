/** The checks that every new version passes through once its place in history is known, in order. */
import { capability } from './capability.ts';
import type { HistoryCheck } from './history-check.ts';
import { requiresBuild } from './requires-build.ts';

export const allHistoryChecks: readonly HistoryCheck[] = [capability, requiresBuild];
