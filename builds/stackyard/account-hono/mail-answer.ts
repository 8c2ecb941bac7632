// The answer to a request for a mail, which is the same whether one is sent or not.

import { type AccountAnswer, jsonAnswer } from './answer.js';

/** 202; `after` begins once it is sent. */
export function acceptedAnswer(after: () => Promise<void>): AccountAnswer {
  return { ...jsonAnswer(202, { accepted: true }), after };
}
