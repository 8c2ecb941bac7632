/** Code that is made readable only to be run. */
import type { Finding } from '../../format/finding.ts';
import type { Check, CheckedBuild } from './check.ts';
import type { Fact } from './flow/interpret.ts';
import { DECODED, FETCHED, HOLE, SPELLED } from './flow/value.ts';
import { commandFindings } from './judge/commands.ts';
import { found, quote } from './judge/evidence.ts';

export const decodeExecute: Check = {
  name: 'decode-execute',
  run: (build) => [
    ...build.flow.facts.flatMap((fact) => judge(build, fact)),
    ...commandFindings(build, 'decode-execute'),
  ],
};

function judge(build: CheckedBuild, fact: Fact): Finding[] {
  const { action, api, operand } = fact;
  const { labels, texts } = operand;
  if (action === 'execute' && (labels & FETCHED) === 0) {
    const isLoader = /pickle|dill|joblib|yaml|marshal/.test(api);
    if ((labels & DECODED) !== 0)
      return [found(build, 'decode-execute', fact, { how: api, code: quote(texts[0] ?? '') })];
    // Data address: code in a text, in any disguise.
    if (!isLoader && (labels & SPELLED) !== 0) {
      return [
        found(build, 'decode-execute', fact, { how: api, code: quote(texts[0] ?? '') }, 'warn'),
      ];
    }
  }
  if (action === 'load') {
    const data = texts.find((t) => /^data:text\/javascript/i.test(t));
    if (data !== undefined) {
      return [found(build, 'decode-execute', fact, { how: api, code: quote(data) }, 'warn')];
    }
    if (
      (labels & DECODED) !== 0 &&
      texts.some((t) => /^(?:node:)?(?:child_process|https?|fs|net|vm|dns)$/.test(t))
    ) {
      return [found(build, 'decode-execute', fact, { how: api, code: quote(texts[0]!) }, 'warn')];
    }
  }
  if (
    action === 'spawn' &&
    (labels & DECODED) !== 0 &&
    (texts.length === 0 || texts.some((t) => t.startsWith(HOLE) || t.length > 0)) &&
    (labels & FETCHED) === 0
  ) {
    return [found(build, 'decode-execute', fact, { how: api, code: quote(texts[0] ?? '') })];
  }
  return [];
}
