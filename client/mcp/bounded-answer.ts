/**
 * Limits the answer of a tool for a model: no hidden or control characters, bounded texts and lists.
 * Registries and publishers wrote most of its content.
 */
import { printable } from '../terminal/printable.ts';

export interface AnswerLimits {
  /** Characters of one text. */
  readonly text: number;
  /** Items of one list, and fields of one object. */
  readonly items: number;
  /** Characters of all texts and names together. */
  readonly total: number;
}

const ANSWER_LIMITS: AnswerLimits = { text: 20_000, items: 2_000, total: 400_000 };

export interface BoundedAnswer {
  readonly value: unknown;
  /** The paths at which something was cut off: `data.readme`. */
  readonly truncated: readonly string[];
}

/** A copy of `value`, which is plain data, within `limits`. */
export function boundAnswer(value: unknown, limits: AnswerLimits = ANSWER_LIMITS): BoundedAnswer {
  const truncated: string[] = [];
  let left = limits.total;
  const cutText = (text: string, path: string, most: number): string => {
    const clean = printable(text);
    const room = Math.min(most, left);
    left -= Math.min(clean.length, room);
    if (clean.length <= room) return clean;
    truncated.push(path);
    return clean.slice(0, Math.max(0, room)).toWellFormed();
  };
  const copy = (item: unknown, path: string): unknown => {
    if (typeof item === 'string') return cutText(item, path, limits.text);
    if (typeof item !== 'object' || item === null) return item;
    const isList = Array.isArray(item);
    const entries = Object.entries(item).filter(([, member]) => member !== undefined);
    if (entries.length > limits.items) truncated.push(path);
    const members = entries.slice(0, limits.items).map(([key, member]): [string, unknown] => {
      const name = isList ? key : cutText(key, path, 1_000);
      left -= 1;
      return [name, copy(member, path === '' ? name : `${path}.${name}`)];
    });
    return isList ? members.map(([, member]) => member) : Object.fromEntries(members);
  };
  const bounded = copy(value, '');
  return { value: bounded, truncated: [...new Set(truncated)].slice(0, 100) };
}
