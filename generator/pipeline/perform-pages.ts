/** Makes the pages of a build in the thread that it is called in. */
import { InternalError } from '../../format/errors.ts';
import { PageCache } from '../state/page-cache.ts';
import type { Kept } from '../site/kept.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Site } from '../site/site.ts';
import type { Stage } from './emit.ts';
import { factsOf } from './render.ts';
import { makeBuildPages } from './build-pages.ts';
import type { MadePages } from './build-pages.ts';
import type { StoredPages } from './stored-pages.ts';

interface Tools {
  readonly workplace: {
    readonly out: string;
    readonly site?: Site | undefined;
    readonly pageCache: string;
    readonly isFull: boolean;
  };
  readonly reader: ObjectReader;
  readonly stage: Stage;
}

export async function performPages(
  { build, ...rest }: StoredPages,
  { workplace, reader, stage }: Tools,
): Promise<MadePages> {
  const { site, out, pageCache, isFull } = workplace;
  if (site === undefined) throw new InternalError('Cannot make pages: the index has no site');
  const cache = openKept(pageCache);
  const kept = isFull ? { get: () => undefined, set: cache.set.bind(cache) } : cache;
  return makeBuildPages({ facts: factsOf(build), ...rest }, { site, kept, reader, stage, out });
}

const open = new Map<string, Kept>();

/** One connection per thread; it ends with the thread. */
function openKept(file: string): Kept {
  const kept = open.get(file) ?? PageCache.open(file);
  open.set(file, kept);
  return kept;
}
