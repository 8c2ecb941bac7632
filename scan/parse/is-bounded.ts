/** Characters; of a longer text only parts are parsed: a parse takes about 30 bytes of memory per byte, its tree 50. */
export const MAX_SOURCE_LENGTH = 5_000_000;
export const MAX_WHOLE_LENGTH = 1_000_000;
/** Characters of the parts that are parsed, and of one of them. */
export const [MAX_PARTS_LENGTH, PART_LENGTH] = [2_500_000, 5_000];

/** Each nested one doubles the time; 2^16 steps take little time. */
const MAX_CASTS = 16;

/**
 * Whether the parser in JavaScript may read a text of unknown depth: its stack may overflow without harm, but
 * the parts that it reads repeatedly (labels, casts that could be generic functions) must be bounded.
 */
export function isBounded(text: string): boolean {
  if (/(?:[\w$]{1,40}\s{0,9}:\s{0,9}){100}/.test(text)) return false;
  let casts = 0;
  for (const _ of text.matchAll(/[=(,:?{;]\s{0,99}<[^<>()]{1,99}>\s{0,99}(?=\()/g)) {
    casts += 1;
    if (casts > MAX_CASTS) return false;
  }
  return true;
}

/** A syntax tree that is made when it is read, and made again when it is read after its release. */
export class ReleasableTree<Tree> {
  readonly #make: () => Tree;
  #tree: Tree | undefined;

  /** @param made the tree, where it is known already */
  constructor(make: () => Tree, made?: Tree) {
    this.#make = make;
    this.#tree = made;
  }

  get tree(): Tree {
    return (this.#tree ??= this.#make());
  }

  /** Frees its memory: about ten times that of the text. */
  release(): void {
    this.#tree = undefined;
  }
}
