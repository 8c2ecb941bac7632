// The message of a body that breaks rules.

import type { z } from 'zod';

/** Every problem with its field, on one line. */
export function describeProblems({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
}
