/** Reads the search data file by file, each at most once. What is missing or broken counts as empty: a search goes on. */
import {
  SEARCH_MANIFEST_PATH,
  leafPath,
  nodePath,
  orderPath,
  searchBuildPath,
} from '../../../format/index/search-path.ts';
import type { Postings } from './leaf-file.ts';
import { readLeaf } from './leaf-file.ts';
import { readNode } from './node-file.ts';
import { readPage } from './order-pages.ts';
import type { SearchBuild } from './search-build.ts';
import { readManifest } from './search-manifest.ts';
import type { SearchManifest } from './search-manifest.ts';
import type { Field } from './search-terms.ts';
import { BEGINNINGS, FIELDS } from './search-terms.ts';
import { commonStart, leafOf, leavesUnder } from './term-tree.ts';

/** The bytes of a file of the index; `undefined` when there is none. */
export type ReadFile = (path: string) => Promise<Uint8Array | undefined>;

/** The builds that have a word, by field. */
export type WordLists = ReadonlyMap<Field, readonly number[]>;

export class IndexReader {
  readonly #read: ReadFile;
  readonly #files = new Map<string, Promise<unknown>>();

  constructor(read: ReadFile) {
    this.#read = read;
  }

  /** @throws when it cannot be read: nothing can be found without it */
  manifest(): Promise<SearchManifest> {
    return this.#once(SEARCH_MANIFEST_PATH, (bytes) => {
      if (bytes === undefined) throw new Error('The registry has no search data');
      return readManifest(new TextDecoder().decode(bytes));
    });
  }

  /** The builds with this word, where the field counts the start of a word also with longer ones. */
  async word(word: string): Promise<WordLists> {
    const { leaves } = await this.manifest();
    const leaf = leafOf(leaves, word);
    const under = leavesUnder(leaves, word);
    const lists = new Map<Field, readonly number[]>();
    const exact = leaf ?? (under.length === 1 ? under[0] : undefined);
    const terms = exact === undefined ? [] : await this.#leaf(exact);
    for (const [term, postings] of terms) {
      if (!term.startsWith(word)) continue;
      for (const [at, field] of FIELDS.entries()) {
        const isBeginning = BEGINNINGS.some((one) => one === field);
        if (term !== word && !isBeginning) continue;
        lists.set(field, [...(lists.get(field) ?? []), ...postings[at]!]);
      }
    }
    if (under.length < 2) return lists;
    const node = commonStart(under[0]!, under.at(-1)!);
    const beginnings = await this.#once(nodePath(node), (bytes) => (bytes ? readNode(bytes) : []));
    for (const [at, field] of BEGINNINGS.entries()) lists.set(field, beginnings[at] ?? []);
    return lists;
  }

  /** The builds with exactly this term in this field. */
  async term(term: string, field: Field): Promise<number[]> {
    const { leaves } = await this.manifest();
    const leaf = leafOf(leaves, term);
    if (leaf === undefined) return [];
    const postings = (await this.#leaf(leaf)).get(term);
    return postings?.[FIELDS.indexOf(field)] ?? [];
  }

  /** A page of the order. */
  page(name: string): Promise<number[]> {
    return this.#once(orderPath(name), (bytes) => (bytes ? readPage(bytes) : []));
  }

  build(number: number): Promise<SearchBuild | undefined> {
    return this.#once(searchBuildPath(number), (bytes) => {
      if (bytes === undefined) return undefined;
      return JSON.parse(new TextDecoder().decode(bytes)) as SearchBuild;
    });
  }

  #leaf(name: string): Promise<Map<string, Postings>> {
    return this.#once(leafPath(name), (bytes) => (bytes ? readLeaf(bytes) : new Map()));
  }

  #once<Value>(path: string, parse: (bytes: Uint8Array | undefined) => Value): Promise<Value> {
    const known = this.#files.get(path) as Promise<Value> | undefined;
    if (known !== undefined) return known;
    const reading = this.#read(path).then(parse);
    this.#files.set(path, reading);
    // A network that fails once may answer the next key.
    reading.catch(() => this.#files.delete(path));
    return reading;
  }
}
