/**
 * What text that is wired into an application can do that the text before it could not, by the analysis of the scanner: the
 * user decides about it, whatever the gate of the registry has found.
 */
import { posix } from 'node:path';
import type { LockedWiring } from '../../format/project/lock.ts';
import {
  type CapabilityLists,
  capabilitiesBeyond,
  capabilityPhrases,
} from '../../format/index/capabilities.ts';
import { deriveCapabilities, unreadFiles } from '../../scan/capabilities.ts';
import { openBuild } from '../../scan/open-build.ts';
import type { ScannedBuild } from '../../scan/scanned-file.ts';

export type WiredText = Pick<LockedWiring, 'verb' | 'file' | 'text'>;

const MANIFEST = {
  name: 'wired',
  version: '0.0.0',
  kind: 'module',
  description: '',
  license: '',
} as const;

/**
 * Phrases such as `start sh`; empty for nothing new. Code that cannot be read may do anything, so it always counts.
 * @param before all that is wired of a build
 * @param after the same with a step of its new version
 */
export function gainedBy(before: readonly WiredText[], after: readonly WiredText[]): string[] {
  const opened = open(after);
  const gained = capabilitiesBeyond(capabilitiesOf(opened), capabilitiesOf(open(before)));
  const names = new Set(unreadFiles(opened, true).map((path) => posix.basename(path)));
  return [
    ...capabilityPhrases(gained),
    ...[...names].map((name) => `run code that was not read: ${name}`),
  ];
}

function capabilitiesOf(opened: ScannedBuild): CapabilityLists {
  return deriveCapabilities(open([]), opened);
}

/** One file for the texts in a file of the project, imports first. */
function open(texts: readonly WiredText[]): ScannedBuild {
  const groups = Map.groupBy(texts, ({ verb, file }) => (verb === 'file' ? `${file} ` : file));
  const files = [...groups.values()].map((group, at) => {
    const imports = group.filter(({ verb }) => verb === 'import');
    const others = group.filter(({ verb }) => verb !== 'import');
    const text = [...imports, ...others].map(codeOf).join('');
    const path = `${at}/${posix.basename(group[0]!.file)}`;
    return { path, bytes: Buffer.from(text), executable: false };
  });
  return openBuild({ id: 'a/wired', manifest: MANIFEST, files });
}

/** A value is in the file with the commas around it. */
function codeOf({ verb, text }: WiredText): string {
  return verb === 'append' ? `(${text.replaceAll(/^[\s,]+|[\s,]+$/g, '')});\n` : `${text}\n`;
}
