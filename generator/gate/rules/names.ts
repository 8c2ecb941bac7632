/**
 * What a new build may be called. Ids are lower case, digits and dashes, so what looks alike in them is
 * `0` and `o`, `1` and `l`, `rn` and `m`; letters of other scripts are refused with the id itself.
 */
import type { Reason } from '../gate-verdict.ts';
import type { RegistryConfig } from '../../../format/registry/registry-config.ts';
import { buildFolder, ownerFolder } from '../../../format/registry/repository-layout.ts';
import { NearNames, type NearName } from '../../../scan/package/near-name.ts';
import { popularNames } from '../../../scan/package/popular-names.ts';
import type { Change } from './rule.ts';
import type { RegistryNames } from '../registry.ts';
import { reason } from '../reasons.ts';

/** Thousands of packages have short names, and most words are a letter away from one of them. */
const MIN_LENGTH = 7;

/** Of the builds that the base branch does not have. */
export async function checkNewNames({ builds, names, config }: Change): Promise<Reason[]> {
  const reasons: Reason[] = [];
  for (const { id, newest, proposal } of builds) {
    if (newest !== undefined || proposal === undefined) continue;
    reasons.push(...checkNewName(id, await names(), config));
  }
  return reasons;
}

function checkNewName(id: string, names: RegistryNames, config: RegistryConfig): Reason[] {
  const [owner = '', name = ''] = id.split('/');
  const folder = buildFolder(id, config);
  const reserved = [owner, name].find((part) => isReserved(part, names, config));
  if (reserved !== undefined) {
    return [reason('gate-name-reserved', folder, { name: reserved })];
  }
  const isApproved = config.approved_names.includes(id);
  const near = isApproved ? [] : nearNames(owner, name, names);
  return [
    ...near.map(({ isRefused, ...args }) =>
      reason(isRefused ? 'gate-name-near' : 'gate-name-like', folder, { name, ...args }),
    ),
    ...(names.owners.has(owner) ? [] : checkNewOwner(owner, names, config)),
    ...twins(owner, name, names).map((twin) => reason('gate-name-twin', folder, { twin })),
    reason('gate-new-name', folder, { id }),
  ];
}

/** A reserved word is kept from owners and builds that are not there already. */
function isReserved(part: string, { owners }: RegistryNames, config: RegistryConfig): boolean {
  return config.reserved_names.includes(part) && !owners.has(part);
}

interface Likeness {
  readonly whose: string;
  readonly near: string;
  readonly slip: NearName['slip'];
  /** Too near to be left to an admin. */
  readonly isRefused: boolean;
}

function nearNames(owner: string, name: string, { ids }: RegistryNames): Likeness[] {
  const byName = new Map<string, string>();
  for (const id of ids) {
    const other = id.slice(id.indexOf('/') + 1);
    if (!id.startsWith(`${owner}/`)) byName.set(other, id);
  }
  const found: Likeness[] = [];
  const twin = new NearNames([...byName.keys()], []).near(name);
  if (twin !== undefined) {
    const { slip } = twin;
    const near = byName.get(twin.name) ?? twin.name;
    found.push({ whose: 'the build', near, slip, isRefused: slip !== 'an ending was added' });
  }
  // A name equal to that of a package is a deliberate reference to it, not a misspelling.
  if (popularNames('npm').has(name) || popularNames('pip').has(name)) return found;
  for (const [registry, whose] of [
    ['npm', 'the npm package'],
    ['pip', 'the Python package'],
  ] as const) {
    const popular = popularNames(registry).near(name);
    if (popular === undefined) continue;
    const { name: near, slip } = popular;
    found.push({ whose, near, slip, isRefused: isMisspelling(slip) && near.length >= MIN_LENGTH });
  }
  return found.slice(0, 2);
}

/** "rate-limit" beside "ratelimit" is an obvious name; "reqeusts" is a misspelling. */
function isMisspelling(slip: NearName['slip']): boolean {
  return slip === 'one letter differs' || slip === 'letters look alike';
}

function checkNewOwner(owner: string, { owners }: RegistryNames, layout: RegistryConfig): Reason[] {
  const near = new NearNames([...owners], []).near(owner);
  return near === undefined
    ? []
    : [
        reason('gate-owner-near', ownerFolder(owner, layout), {
          owner,
          near: near.name,
          slip: near.slip,
        }),
      ];
}

function twins(owner: string, name: string, { ids }: RegistryNames): string[] {
  const found = [...ids].filter((id) => id.endsWith(`/${name}`) && !id.startsWith(`${owner}/`));
  return found.sort().slice(0, 1);
}
