/** The reasons of a verdict that is not `merge`: from the gate's own rules or from findings. */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { printable } from '../../format/build/file-path.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import type { Finding } from '../../format/finding/finding.ts';
import { FINDING_TEXTS } from '../../format/finding/catalogue.ts';
import { REASON_TEXTS } from './reason-texts.ts';
import type { ReasonArgs, ReasonCode } from './reason-texts.ts';

/** @param file path in the repository; `""` when the whole pull request is meant */
export function reason(code: ReasonCode, file: string, args: ReasonArgs = {}): Reason {
  const { level, message, remedy } = REASON_TEXTS[code];
  return { level, code, file: printable(file), line: 0, message: message(args), remedy };
}

/** A finding that stops publication. @param folder the build's folder in the repository */
export function findingReason(found: Finding, folder: string): Reason {
  return {
    level: 'refuse',
    code: found.code,
    file: [folder, found.file].filter((part) => part !== '').join('/'),
    line: found.place?.line ?? 0,
    message: findingMessage(found),
    remedy: FINDING_TEXTS[found.code].remedy,
  };
}
