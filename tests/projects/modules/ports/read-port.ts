/** A module with one npm package, for projects that take no published one. */
import { z } from 'zod';

const Port = z.coerce.number().int().min(1).max(65_535);

/** The number of a port, or `undefined` for any other text. */
export function readPort(text: string): number | undefined {
  return Port.safeParse(text).data;
}
