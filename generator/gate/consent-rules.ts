/**
 * What users of a version will have to consent to, when it is new or changed: an admin looks at it, because programs run it
 * or read it by themselves.
 */
import type { ConsentClass } from '../../format/build/consent-classes.ts';
import { CONSENT_CLASSES } from '../../format/build/consent-classes.ts';
import { consentClass, isLifecycleScript } from '../../format/build/consent.ts';
import { printable } from '../../format/build/file-path.ts';
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { wireConsent } from '../../format/wiring/wire-target.ts';
import { parseWiring } from '../../format/wiring/wiring.ts';
import { validate } from '../../examine/validate.ts';
import type { Build, SourceBuild } from '../../examine/validate.ts';
import { reason } from './reason.ts';

const MAX_LISTED_PATHS = 30;

interface Needed {
  readonly class: ConsentClass;
  /** In the project; of a script `package.json#/scripts/<name>`. */
  readonly path: string;
  readonly content: Uint8Array;
}

/**
 * One reason for each class of what `build` has and the previous version has not, with the same content.
 * @param folder of the build in the repository
 */
export function checkConsent(
  folder: string,
  build: Build,
  previous: SourceBuild | undefined,
): Reason[] {
  const needed = neededBy(build);
  if (needed.length === 0) return [];
  const before = previous === undefined ? undefined : validate(previous);
  const known = before?.ok === true ? neededBy(before.build) : [];
  const isKnown = (one: Needed): boolean =>
    known.some((old) => {
      const isSame = old.class === one.class && old.path === one.path;
      return isSame && Buffer.compare(old.content, one.content) === 0;
    });
  const fresh = needed.filter((one) => !isKnown(one));
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
