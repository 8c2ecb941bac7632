/** The search, which is loaded when a visitor goes to its field: suggestions below the field, or the results of the search page. */
import { IndexReader } from '../../search/index-reader.ts';
import { searchBuilds } from '../../search/search-builds.ts';
import { type Find, siteAddress } from './element.ts';
import { addResults } from './search-results.ts';
import { addSuggestions } from './suggestions.ts';

export function startSearch(input: HTMLInputElement): void {
  const form = input.form;
  if (form === null) return;
  const reader = new IndexReader(readFile);
  const find: Find = (query) => searchBuilds(reader, query);
  // While the visitor thinks of the first letter.
  reader.manifest().catch(() => undefined);
  const page = document.querySelector<HTMLElement>('[data-search-page]');
  if (page === null) addSuggestions(form, input, find);
  else addResults(page, form, input, find);
}

async function readFile(path: string): Promise<Uint8Array | undefined> {
  const response = await fetch(siteAddress(path));
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}
