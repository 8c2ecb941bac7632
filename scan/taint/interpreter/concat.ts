/** The concatenation of values. */
import { NOTHING, UNKNOWN, deepContent, join, type Value } from '../value.ts';

/** A text of this length or more is not extended. */
const MAX_LENGTH = 20_000;
const MAX_TEXTS = 4;

/** The texts that `values` may form in a row, unknown parts as `UNKNOWN`. */
export function concat(values: readonly Value[]): Value {
  let texts: readonly string[] = [''];
  let content: Value = NOTHING;
  let lists: Value = NOTHING;
  for (const value of values) {
    content = join(content, deepContent(value));
    if (value.objects.length > 0) lists = join(lists, { ...NOTHING, objects: value.objects });
    const added = value.texts.length === 0 ? [UNKNOWN] : value.texts;
    texts = texts
      .flatMap((t) => added.map((a) => (t.length > MAX_LENGTH ? t : t + a)))
      .slice(0, MAX_TEXTS);
  }
  const known = texts.map((t) => t.replaceAll(/\0+/g, UNKNOWN)).filter((t) => t !== UNKNOWN);
  return { ...content, texts: known, objects: lists.objects };
}
