/** Adds up what makes parsers of JavaScript recurse: open brackets, and operators of statements and items without an end. */

/** A sum nests only on its left, which costs the parsers little: an eighth of the others. Whole numbers are faster. */
export const INFIX_WEIGHT = 1;
export const WEIGHT = 8;

export class NestingCount {
  /** In units of `WEIGHT`, like the operators. */
  total = 0;
  /** Operators since the last end of a statement, and `else`s, of each open bracket. */
  readonly #operators: number[] = [0];
  readonly #kept: number[] = [0];

  open(): void {
    this.#operators.push(0);
    this.#kept.push(0);
    this.total += WEIGHT;
  }

  /** A bracket that nothing opened does not count. */
  close(): void {
    if (this.#operators.length === 1) return;
    this.total -= WEIGHT + this.#operators.pop()!;
    this.#kept.pop();
  }

  add(weight: number): void {
    this.#operators[this.#operators.length - 1]! += weight;
    this.total += weight;
  }

  /** What was added last stays at the end of a statement: an `else` belongs to the `if` before it. */
  keep(): void {
    this.#kept[this.#kept.length - 1]! += WEIGHT;
  }

  /** A statement or item ends. */
  settle(): void {
    const top = this.#operators.length - 1;
    this.total -= this.#operators[top]! - this.#kept[top]!;
    this.#operators[top] = this.#kept[top]!;
  }
}
