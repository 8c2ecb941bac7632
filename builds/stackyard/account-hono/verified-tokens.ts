// Remembers tokens that have been verified, so that the signature of a session is computed once and not at every
// request. Only what cannot change while a process runs is remembered: spelling, signature and the form of the claims.
// The clock, the account and revocations are still checked at every request.
//
// The key is the whole token, so only exactly the text that was verified is found. The time of a lookup may reveal whether
// a token is remembered, but only to somebody who has that token: JavaScript compares strings after their hashes, whose
// seed is different in each process, so a guess that is nearly right takes as long as any other.

import type { DatedClaims } from './token-claims.js';

/** Tokens in one of the two generations. */
const MAX_ENTRIES = 4096;
/** The tokens of this build have about 330 characters. With the number of entries this limits the memory to 16 MiB. */
const MAX_LENGTH = 2048;

export class VerifiedTokens {
  // Two generations instead of an order of use: no operation looks at more than one entry, and a hit writes nothing.
  #recent = new Map<string, DatedClaims>();
  #former = new Map<string, DatedClaims>();
  readonly #maxEntries: number;

  /** Remembers at least the last `maxEntries` tokens, and at most twice as many. */
  constructor(maxEntries: number = MAX_ENTRIES) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#recent.size + this.#former.size;
  }

  /** The claims that were added with exactly this token. */
  get(token: string): DatedClaims | undefined {
    const known = this.#recent.get(token);
    if (known !== undefined) return known;
    const former = this.#former.get(token);
    if (former !== undefined) this.#insert(token, former);
    return former;
  }

  /** Remembers a token whose signature and claims are valid, unless it is very long. */
  add(token: string, claims: DatedClaims): void {
    if (token.length > MAX_LENGTH) return;
    // A copy: the text may be a part of a much longer header, which it would keep in memory.
    this.#insert(Buffer.from(token, 'latin1').toString('latin1'), claims);
  }

  #insert(token: string, claims: DatedClaims): void {
    if (this.#recent.size >= this.#maxEntries) {
      this.#former = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(token, claims);
  }
}
