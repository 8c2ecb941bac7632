/** One text of several values. */
import { UNKNOWN, NOTHING, deepContent, joined } from '../value.ts';
import type { Value } from '../value.ts';

const MAX_JOINED = 20_000;
const MAX_TEXTS = 4;

/** What a text of all `values` may be; what is not known of it is a `UNKNOWN`. */
export function concatenated(values: readonly Value[]): Value {
  let texts: readonly string[] = [''];
  let content: Value = NOTHING;
  let lists: Value = NOTHING;
  for (const value of values) {
    content = joined(content, deepContent(value));
    if (value.objects.length > 0) lists = joined(lists, { ...NOTHING, objects: value.objects });
    const added = value.texts.length === 0 ? [UNKNOWN] : value.texts;
    texts = texts
      .flatMap((t) => added.map((a) => (t.length > MAX_JOINED ? t : t + a)))
      .slice(0, MAX_TEXTS);
  }
  const known = texts.map((t) => t.replaceAll(/\0+/g, UNKNOWN)).filter((t) => t !== UNKNOWN);
  return { ...content, texts: known, objects: lists.objects };
}
