/** Reads the search data file by file, each at most once. What is missing or broken counts as empty: a search goes on. */
import {
  BEGINNINGS,
  LOOSE_PLACES,
  PLACES,
  PLACE_NAMES,
  conceptTerm,
  type Place,
  type QueryWord,
} from '../../../format/index/ranking.ts';
import {
  FREQUENT_WORDS_PATH,
  SEARCH_MANIFEST_PATH,
  leafPath,
  nodePath,
  orderPath,
  searchBuildPath,
} from '../../../format/index/search-path.ts';
import { SHARED_START, isSpelled } from '../../../format/index/word-forms.ts';
import { readLeaf, readManifest, readNode, readPage, type Postings } from './search-files.ts';
import {
  FIELDS,
  commonStart,
  leafOf,
  leavesUnder,
  type Field,
  type SearchBuild,
} from './search-terms.ts';

/** The bytes of a file of the index; `undefined` when there is none. */
type ReadFile = (path: string) => Promise<Uint8Array | undefined>;

/** The builds that have a word: lists of numbers, each with what it adds to the relevance, and whether as it was typed. */
type WeighedLists = readonly {
  readonly numbers: readonly number[];
  readonly points: number;
  readonly isTyped: boolean;
}[];

type Lists = ReadonlyMap<Place, readonly number[]>;

export class IndexReader {
  readonly #read: ReadFile;
  readonly #files = new Map<string, Promise<unknown>>();

  constructor(read: ReadFile) {
    this.#read = read;
  }

  /** @throws when it cannot be read: nothing can be found without it */
  manifest(): Promise<ReturnType<typeof readManifest>> {
    return this.#once(SEARCH_MANIFEST_PATH, (bytes) => {
      if (bytes === undefined) throw new Error('The registry has no search data');
      return readManifest(new TextDecoder().decode(bytes));
    });
  }

  /** The builds with a word of a query, in any form. */
  async word({ word, same, concept }: QueryWord): Promise<WeighedLists> {
    const [typed, like, ...others] = await Promise.all([
      this.#typed(word),
      concept === undefined ? undefined : this.#term(conceptTerm(concept)),
      ...same.map((term) => this.#term(term)),
    ]);
    const weigh = (lists: Lists, part: number, isTyped: boolean): WeighedLists =>
      [...lists].map(([place, numbers]) => ({ numbers, points: PLACES[place] * part, isTyped }));
    return [
      ...weigh(typed, 1, true),
      ...others.flatMap((found) => weigh(listsOf(found, LOOSE_PLACES), 1, false)),
      ...weigh(listsOf(like, LOOSE_PLACES), 1 / 2, false),
    ];
  }

  /** The builds with exactly this term in this field. */
  async term(term: string, field: Field): Promise<readonly number[]> {
    return (await this.#term(term))?.[FIELDS.indexOf(field)] ?? [];
  }

  /** The words that corrections know first. */
  frequentWords(): Promise<string[]> {
    return this.#once(FREQUENT_WORDS_PATH, (bytes) => new TextDecoder().decode(bytes).split('\n'));
  }

  /** Candidates for corrections that begin as `word` does. */
  async similarWords(word: string): Promise<string[]> {
    const start = word.slice(0, SHARED_START);
    const { leaves } = await this.manifest();
    const own = leafOf(leaves, start);
    const names = new Set([...(own === undefined ? [] : [own]), ...leavesUnder(leaves, start)]);
    const read = await Promise.all([...names].map((name) => this.#leaf(name)));
    const words = read.flatMap((terms) => [...terms.keys()]);
    return words.filter((term) => term.startsWith(start) && isSpelled(term));
  }

  page(name: string): Promise<number[]> {
    return this.#once(orderPath(name), (bytes) => (bytes ? readPage(bytes) : []));
  }

  build(number: number): Promise<SearchBuild | undefined> {
    return this.#once(searchBuildPath(number), (bytes) => {
      if (bytes === undefined) return undefined;
      return JSON.parse(new TextDecoder().decode(bytes)) as SearchBuild;
    });
  }

  /** The builds with this word, where the field counts the start of a word also with longer ones. */
  async #typed(word: string): Promise<Lists> {
    const { leaves } = await this.manifest();
    const under = leavesUnder(leaves, word);
    const leaf = leafOf(leaves, word) ?? (under.length === 1 ? under[0] : undefined);
    const lists = new Map<Place, readonly number[]>();
    for (const [term, postings] of leaf === undefined ? [] : await this.#leaf(leaf)) {
      if (!term.startsWith(word)) continue;
      for (const [place, numbers] of listsOf(postings, term === word ? PLACE_NAMES : BEGINNINGS)) {
        lists.set(place, [...(lists.get(place) ?? []), ...numbers]);
      }
    }
    if (under.length < 2) return lists;
    const node = nodePath(commonStart(under[0]!, under.at(-1)!));
    const beginnings = await this.#once(node, (bytes) => (bytes ? readNode(bytes) : []));
    for (const [at, place] of BEGINNINGS.entries()) lists.set(place, beginnings[at] ?? []);
    return lists;
  }

  async #term(term: string): Promise<Postings | undefined> {
    const { leaves } = await this.manifest();
    const leaf = leafOf(leaves, term);
    return leaf === undefined ? undefined : (await this.#leaf(leaf)).get(term);
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

function listsOf(postings: Postings | undefined, places: readonly Place[]): Lists {
  return new Map(places.map((place) => [place, postings?.[FIELDS.indexOf(place)] ?? []]));
}
