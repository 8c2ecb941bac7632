/** What a thread gets to make the pages of a build. */
import type { Dependent, MonthDownloads } from '../site/build/build-view.ts';
import type { StoredBuild } from './render.ts';

export interface StoredPages {
  readonly build: StoredBuild;
  readonly months: readonly MonthDownloads[];
  readonly dependents: readonly Dependent[];
  readonly dependentCount: number;
  /** Versions whose own files have no pages yet. */
  readonly fresh: readonly string[];
  /** Whether only what other builds change is made again. */
  readonly isFrontOnly: boolean;
}
