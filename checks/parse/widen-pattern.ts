/**
 * A regular expression as a simpler one that matches at least the same: without looking around, word boundaries and upper
 * ends of repetitions, and with one character for all that is not ASCII.
 */
import { OTHER } from './character-codes.ts';
import { lowerCase, upperCase } from '../../format/unicode.ts';

/** By character code: 1 where it belongs to the set. The last one is `OTHER`. */
export type CharacterSet = Uint8Array;

export type Widened =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence' | 'any-of'; readonly parts: readonly Widened[] }
  /** Any number of times, or never. */
  | { readonly kind: 'repeat'; readonly part: Widened };

/** A longer repetition is known by so many. */
const MAX_COPIES = 4;
const EMPTY: Widened = { kind: 'sequence', parts: [] };
const FLAGS = /^[gimsy]*$/;

/** `undefined` where the pattern has something that is not read: other flags, references, properties of characters. */
export function widenPattern(pattern: RegExp): Widened | undefined {
  if (!FLAGS.test(pattern.flags)) return undefined;
  const reader = new Reader(pattern.source, pattern.ignoreCase);
  try {
    return reader.read();
  } catch (error) {
    if (error instanceof Unread) return undefined;
    throw error;
  }
}

class Unread extends Error {}

class Reader {
  readonly #source: string;
  readonly #ignoreCase: boolean;
  #at = 0;

  constructor(source: string, ignoreCase: boolean) {
    this.#source = source;
    this.#ignoreCase = ignoreCase;
  }

  read(): Widened {
    const whole = this.#alternatives();
    if (this.#at < this.#source.length) throw new Unread();
    return whole;
  }

  #alternatives(): Widened {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'any-of', parts };
  }

  #sequence(): Widened {
    const parts: Widened[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) {
      parts.push(this.#quantified(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  #atom(): Widened {
    if (this.#take('(?:')) return this.#group();
    for (const look of ['(?=', '(?!', '(?<=', '(?<!']) {
      if (!this.#take(look)) continue;
      this.#group();
      return EMPTY;
    }
    if (this.#take('(?')) throw new Unread();
    if (this.#take('(')) return this.#group();
    if (this.#take('^') || this.#take('$')) return EMPTY;
    // A line break, too: what is wider is safe.
    if (this.#take('.')) return { kind: 'set', set: new Uint8Array(OTHER + 1).fill(1) };
    if (this.#take('[')) return { kind: 'set', set: this.#class() };
    if (this.#take(String.raw`\b`) || this.#take(String.raw`\B`)) return EMPTY;
    const set = new Uint8Array(OTHER + 1);
    this.#addCharacters(set, this.#take('\\') ? this.#escape() : this.#next());
    return { kind: 'set', set: this.#folded(set) };
  }

  #group(): Widened {
    const inner = this.#alternatives();
    if (!this.#take(')')) throw new Unread();
    return inner;
  }

  #quantified(part: Widened): Widened {
    const [text, least = '', comma, most] =
      /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(this.#source.slice(this.#at, this.#at + 20)) ?? [];
    if (text === undefined) return part;
    this.#at += text.length;
    this.#take('?');
    const repeat: Widened = { kind: 'repeat', part };
    if (text === '?') return { kind: 'any-of', parts: [part, EMPTY] };
    if (text === '*') return repeat;
    if (text === '+') return { kind: 'sequence', parts: [part, repeat] };
    const count = Number(least);
    const copies = Array.from({ length: Math.min(count, MAX_COPIES) }, () => part);
    const isExact = count <= MAX_COPIES && (comma === '' || most === least);
    return { kind: 'sequence', parts: isExact ? copies : [...copies, repeat] };
  }

  /** After `[`. */
  #class(): CharacterSet {
    const isNegated = this.#take('^');
    const set = new Uint8Array(OTHER + 1);
    while (!this.#take(']')) {
      const first = this.#classMember();
      if (typeof first === 'number' && this.#isRange()) {
        this.#at += 1;
        const last = this.#classMember();
        if (typeof last !== 'number') throw new Unread();
        for (let code = first; code <= Math.min(last, OTHER); code += 1) set[code] = 1;
        if (last >= OTHER) set[OTHER] = 1;
      } else this.#addCharacters(set, first);
    }
    const folded = this.#folded(set);
    // One character that is not ASCII in the set does not put the others into it.
    return isNegated ? folded.map((one, code) => (code === OTHER ? 1 : 1 - one)) : folded;
  }

  #isRange(): boolean {
    return this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']';
  }

  #classMember(): number | CharacterSet {
    if (this.#take(String.raw`\b`)) return 8;
    return this.#take('\\') ? this.#escape() : this.#next();
  }

  /** After the backslash. */
  #escape(): number | CharacterSet {
    const letter = String.fromCharCode(this.#next());
    if ('sSwWdD'.includes(letter)) return setOf(new RegExp(`\\${letter}`));
    const control = 'nrtvf'.indexOf(letter);
    if (control >= 0) return [10, 13, 9, 11, 12][control]!;
    const digits = letter === 'x' ? 2 : letter === 'u' ? 4 : 0;
    if (digits > 0) {
      const text = this.#source.slice(this.#at, (this.#at += digits));
      if (!/^[0-9a-f]+$/i.test(text) || text.length !== digits) throw new Unread();
      return Number.parseInt(text, 16);
    }
    if (/\w/.test(letter)) throw new Unread();
    return letter.charCodeAt(0);
  }

  #next(): number {
    if (this.#at >= this.#source.length) throw new Unread();
    return this.#source.charCodeAt(this.#at++);
  }

  #take(text: string): boolean {
    const isNext = this.#source.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  #addCharacters(set: CharacterSet, member: number | CharacterSet): void {
    if (typeof member === 'number') set[Math.min(member, OTHER)] = 1;
    else for (const [code, one] of member.entries()) set[code]! |= one;
  }

  /** Without the flag `u`, no character that is not ASCII equals one that is. */
  #folded(set: CharacterSet): CharacterSet {
    if (!this.#ignoreCase) return set;
    return set.map((one, code) => {
      const letter = String.fromCharCode(code);
      if (!/[a-z]/i.test(letter)) return one;
      return one | set[lowerCase(letter).charCodeAt(0)]! | set[upperCase(letter).charCodeAt(0)]!;
    });
  }
}

function setOf(pattern: RegExp): CharacterSet {
  const set = new Uint8Array(OTHER + 1);
  for (let code = 0; code < OTHER; code += 1)
    set[code] = Number(pattern.test(String.fromCharCode(code)));
  set[OTHER] = 1;
  return set;
}
