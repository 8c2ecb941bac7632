/** What is new in a version and what an admin looks at: what users must consent to, capabilities, and files that nobody reads. */
import { CONSENT_CLASSES, type ConsentClass } from '../../../format/build/consent-classes.ts';
import { consentClass, isLifecycleScript } from '../../../format/build/consent.ts';
import { printable } from '../../../format/build/file-path.ts';
import { capabilityPhrases } from '../../../format/index/capabilities.ts';
import type { Reason } from '../gate-verdict.ts';
import { wireConsent } from '../../../format/wiring/wire-info.ts';
import { parseWiring } from '../../../format/wiring/wiring.ts';
import { validate, type Build } from '../../../scan/validate.ts';
import type { Source } from '../../../scan/source.ts';
import type { Change } from './rule.ts';
import { reason } from '../reasons.ts';

const MAX_LISTED_PATHS = 30;
/** Unread files that are named, each with a reason. */
const MAX_UNREAD = 20;

interface Needed {
  readonly class: ConsentClass;
  /** In the project; of a script `package.json#/scripts/<name>`. */
  readonly path: string;
  readonly content: Uint8Array;
}

/**
 * What users will have to consent to, where it is new or changed, because programs run it or read it by themselves: one
 * reason for each class.
 */
export function checkConsent({ builds }: Change): Reason[] {
  return builds.flatMap(({ id, folder, proposal }) => {
    const { examined, previous } = proposal?.version ?? {};
    const needed = examined === undefined ? [] : neededBy(examined.build);
    const known = needed.length === 0 ? [] : neededBefore(id, previous?.source);
    const fresh = needed.filter((one) => {
      const isKnown = (old: Needed): boolean => old.class === one.class && old.path === one.path;
      return !known.some((old) => isKnown(old) && Buffer.compare(old.content, one.content) === 0);
    });
    fresh.sort((a, b) => (a.class < b.class ? -1 : 1));
    return [...Map.groupBy(fresh, (one) => one.class)].map(([name, of]) => {
      const paths = [...new Set(of.map(({ path }) => printable(path)))].sort();
      const more = paths.length - MAX_LISTED_PATHS;
      const listed = paths.slice(0, MAX_LISTED_PATHS).join(', ');
      return reason('gate-consent', folder, {
        class: name,
        paths: more > 0 ? `${listed} and ${more} more` : listed,
        does: CONSENT_CLASSES[name],
      });
    });
  });
}

/** What the code does that the version before did not. */
export function checkCapabilities({ builds }: Change): Reason[] {
  return builds.flatMap(({ folder, proposal }) => {
    const { gained, previous } = proposal?.version ?? {};
    if (gained === undefined || previous === undefined) return [];
    return capabilityPhrases(gained).map((can) => {
      return reason('gate-capability', folder, { version: previous.version, can });
    });
  });
}

/** What nobody reads may only stay as it is: compared byte by byte. */
export function checkUnreadFiles({ builds }: Change): Reason[] {
  return builds.flatMap(({ folder, proposal }) => {
    const { examined, previous } = proposal?.version ?? {};
    if (proposal === undefined || examined === undefined || previous === undefined) return [];
    const bytesOf = ({ files }: Source, path: string): Buffer | undefined =>
      files.find((file) => file.path === path)?.bytes;
    const changed = examined.unread.filter((path) => {
      const [now, old] = [bytesOf(proposal.source, path), bytesOf(previous.source, path)];
      return now === undefined || old === undefined || !now.equals(old);
    });
    const args = { version: previous.version };
    return changed
      .slice(0, MAX_UNREAD)
      .map((path) => reason('gate-unread-changed', `${folder}/${path}`, args));
  });
}

function neededBefore(id: string, source: Source | undefined): Needed[] {
  const [owner = '', name = ''] = id.split('/');
  const before = source && validate({ owner, name, source });
  return before?.ok === true ? neededBy(before.build) : [];
}

function neededBy({ manifest, files, installed, integration }: Build): Needed[] {
  const { base = '', scripts = {} } = manifest;
  const placed = new Set(installed);
  const needed: Needed[] = [];
  const add = (name: ConsentClass | undefined, path: string, content: Uint8Array): void => {
    if (name !== undefined) needed.push({ class: name, path, content });
  };
  for (const { path: from, bytes, executable } of files) {
    if (!placed.has(from)) continue;
    const path = base === '' ? from : `${base}/${from}`;
    add(consentClass({ path, executable, text: bytes }), path, bytes);
  }
  for (const block of parseWiring(integration).steps.flatMap((step) => step.alternatives.flat())) {
    add(wireConsent(block), block.target, Buffer.from(block.text));
  }
  for (const [name, value] of Object.entries(scripts)) {
    if (!isLifecycleScript(name)) continue;
    add('lifecycle', `package.json#/scripts/${name}`, Buffer.from(value));
  }
  return needed;
}
