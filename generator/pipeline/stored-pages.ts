/** What a thread gets to make the pages of a build. */
import type { Dependent, MonthDownloads } from '../site/build/build-view.ts';
import type { StoredBuild } from './render.ts';

export interface StoredPages {
  readonly build: StoredBuild;
  readonly months: readonly MonthDownloads[];
  readonly dependents: readonly Dependent[];
  readonly dependentCount: number;
  /** Builds that its page names for the stack tags that it requires. */
  readonly providers: Readonly<Record<string, readonly string[]>>;
  /** Versions whose own files have no pages yet. */
  readonly fresh: readonly string[];
  /** Versions that are withdrawn from now on. */
  readonly gone: readonly string[];
  /** Whether only what other builds change is made again. */
  readonly isFrontOnly: boolean;
}
