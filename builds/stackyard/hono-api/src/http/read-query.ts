// The query of a request, for a schema.

import type { Context } from 'hono';

/** By name: a text, or a list of texts where the name is there several times, so that a schema for one text refuses it. */
export function readQuery(c: Context): Record<string, string | string[]> {
  const entries = Object.entries(c.req.queries()).map(([name, values]) => {
    const [value = ''] = values;
    return [name, values.length === 1 ? value : values] as const;
  });
  return Object.fromEntries(entries);
}
