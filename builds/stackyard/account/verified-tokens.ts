// Remembers which tokens have verified, so that a session pays for its signature once and not at every request. It
// holds the outcome of what does not change while a process runs: spelling, signature and the form of the claims.
// What changes (the clock, the account, revocations) its users check at every request all the same.
//
// The key is the whole token, so nothing is found that has not verified as exactly this text. How long a look takes may
// tell whether a token is remembered, but only to somebody who has that token: strings are compared after their hashes,
// which are seeded anew in each process, so a guess that is nearly right is as slow as any other.

import type { DatedClaims } from './token-claims.js';

/** Tokens in one of the two generations. */
const MAX_ENTRIES = 4096;
/** Ours have about 330 characters. With the number of entries this bounds the memory: 16 MiB of text. */
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

  /** What `add` was given for exactly this token. */
  get(token: string): DatedClaims | undefined {
    const known = this.#recent.get(token);
    if (known !== undefined) return known;
    const former = this.#former.get(token);
    if (former !== undefined) this.#insert(token, former);
    return former;
  }

  /** Remembers a token whose signature and claims hold; a very long one is left out. */
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
