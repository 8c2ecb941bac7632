/** What a call gets: its arguments, and the object that it is a method of. */
import { HIDDEN_KEY, NOTHING, joined } from '../value.ts';
import type { Value } from '../value.ts';

/** Keeps what an object was made with, under a key that no code can write. */
export const TARGET = `${HIDDEN_KEY}target`;

/** A call's arguments. */
export interface Arguments {
  readonly list: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** The object that a method is called on, and the method's name. */
export interface Receiver {
  readonly value: Value;
  readonly method: string | undefined;
}

export const NOBODY: Receiver = { value: NOTHING, method: undefined };

/** What the object was made with. */
export function targetOf(value: Value): Value {
  let sum: Value = NOTHING;
  for (const obj of value.objects) sum = joined(sum, obj.fields.get(TARGET) ?? NOTHING);
  return sum;
}

/** All arguments, named or not. */
export function allOf({ list, named }: Arguments): Value[] {
  return named.size === 0 ? [...list] : [...list, ...named.values()];
}
