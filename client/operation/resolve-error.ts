/** A conflict of the resolver as what ends a command. */
import { ClientError } from '../errors.ts';
import type { Conflict } from '../resolve/conflict.ts';
import type { Explanation } from '../resolve/derivation.ts';

export class ResolveError extends ClientError {
  /** How the failure follows; `--json` has it as a tree. */
  readonly explanation: Explanation | undefined;

  constructor({ code, message, hint, explanation }: Conflict) {
    super(code, message, { hint });
    this.explanation = explanation;
  }
}
