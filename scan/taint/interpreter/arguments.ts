/** The arguments of a call, and the object whose method is called. */
import { HIDDEN_KEY, NOTHING, join, type Value } from '../value.ts';

/** The key of the operand that an object was created with, such as the address of a request. */
export const TARGET = `${HIDDEN_KEY}target`;

/** The arguments of a call, evaluated. */
export interface Arguments {
  readonly list: readonly Value[];
  /** Keyword arguments. */
  readonly named: ReadonlyMap<string, Value>;
}

/** The object whose method is called, and the name of the method. */
export interface Receiver {
  readonly value: Value;
  readonly method: string | undefined;
}

/** The receiver of a call that is not a method call. */
export const NO_RECEIVER: Receiver = { value: NOTHING, method: undefined };

/** Arguments without keyword arguments. */
export function positional(...list: readonly Value[]): Arguments {
  return { list, named: new Map() };
}

/** The operand that an object was created with. */
export function targetOf(value: Value): Value {
  let sum: Value = NOTHING;
  for (const obj of value.objects) sum = join(sum, obj.fields.get(TARGET) ?? NOTHING);
  return sum;
}

/** All arguments, positional ones first. */
export function allOf({ list, named }: Arguments): Value[] {
  return named.size === 0 ? [...list] : [...list, ...named.values()];
}
