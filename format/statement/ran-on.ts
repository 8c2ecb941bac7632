/** What a CI run ran on: versions of the stack, the package manager and the operating system. No names, no logs. */
import { z } from 'zod';

/** A name of a stack tag or package and a version: `node 24.1`, `@scope/name 5.3.0`. Never free text. */
const NAME_AND_VERSION: RegExp =
  /^(?:@[a-z0-9-]{1,40}\/)?[a-z0-9][a-z0-9._-]{0,49} \d[0-9A-Za-z.+-]{0,29}$/;

/** How many versions of the stack a report has at most. */
export const MAX_STACK_VERSIONS = 16;

const OPERATING_SYSTEMS = ['linux', 'macos', 'windows', 'other'] as const;

export const RanOn = z
  .strictObject({
    stack: z
      .array(z.string().regex(NAME_AND_VERSION))
      .max(MAX_STACK_VERSIONS)
      .describe('Names and versions of what the build requires, such as "express 5.3.0".'),
    manager: z
      .string()
      .regex(NAME_AND_VERSION)
      .optional()
      .describe('The package manager, such as "npm 11.4.2".'),
    os: z.enum(OPERATING_SYSTEMS),
  })
  .describe('What the run ran on.');
export type RanOn = z.infer<typeof RanOn>;

/** `<name> <version>`; `undefined` when a report cannot hold it. */
export function tryNameVersion(name: string, version: string): string | undefined {
  const text = `${name} ${version}`;
  return NAME_AND_VERSION.test(text) ? text : undefined;
}
