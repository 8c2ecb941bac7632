/** How the parts of the search find builds. */
import type { SearchHits, SearchQuery } from '../../search/search-builds.ts';

/** Rejects when the search data cannot be read. */
export type Find = (query: SearchQuery) => Promise<SearchHits>;
