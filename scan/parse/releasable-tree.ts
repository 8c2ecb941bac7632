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

  /** Frees its memory: many times that of the text. */
  release(): void {
    this.#tree = undefined;
  }
}
