/**
 * Whether an address is a place from which packages of the ecosystems are published. On hosts where anybody can
 * publish, the owner in the path decides: known projects, and the owner of the build's own repository.
 */
import { wordsOf } from '../parse/word-list.ts';
import { once } from '../once.ts';
import { isObject, readJsonObject } from '../text/json-text.ts';
import type { ScannedBuild } from '../scanned-file.ts';
import { UNKNOWN } from '../taint/value.ts';
import { hostOf, ownerOf, placeOf } from '../taint/address.ts';
import { isDistributor, isShared } from '../taint/known-hosts.ts';

/** Projects whose programs many packages download: beginnings of host and path. */
const KNOWN_PLACES = wordsOf([
  'github.com/electron/ github.com/electron-userland/ github.com/nodejs/ github.com/sass/',
  'github.com/python/ github.com/microsoft/ github.com/astral-sh/',
  'github.com/protocolbuffers/ github.com/mozilla/geckodriver/ github.com/denoland/',
  'github.com/oven-sh/ github.com/eugeneware/ffmpeg-static/',
  'storage.googleapis.com/chrome-for-testing-public/',
  'storage.googleapis.com/chromium-browser-snapshots/',
  'chromedriver.storage.googleapis.com/ googlechromelabs.github.io/chrome-for-testing/',
  'storage.googleapis.com/flutter_infra',
]);

/** Hosts of one service under one name, so that the owner is the first part of the path. */
const SAME_SERVICE: readonly (readonly [RegExp, string])[] = [
  [/^api\.github\.com\/repos\//, 'github.com/'],
  [/^(?:www|codeload)\.github\.com\//, 'github.com/'],
  [/^(?:raw|gist|media)\.githubusercontent\.com\//, 'github.com/'],
  [/^gist\.github\.com\//, 'github.com/'],
  [/^(?:cdn|fastly)\.jsdelivr\.net\/gh\//, 'github.com/'],
];
/** Services whose first part of a path is an owner. */
const OWNED =
  /^((?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|huggingface\.co)\/[\w.-]{1,100})\//;

/** @param address whole address, unknown parts as `UNKNOWN` */
export function isTrustedPlace(build: ScannedBuild, address: string): boolean {
  const host = hostOf(address);
  if (host === undefined) return false;
  const place = servicePlaceOf(address);
  const owner = ownerIn(place);
  if (owner !== undefined && ownOwners(build).has(owner)) return true;
  if (!isShared(host)) return isDistributor(host);
  return KNOWN_PLACES.some((known) => place.startsWith(known));
}

/** Whether an address is below the owner of the build's own repository. */
export function isOwnPlace(build: ScannedBuild, address: string): boolean {
  const owner = ownerIn(servicePlaceOf(address));
  return owner !== undefined && ownOwners(build).has(owner);
}

/** Whether a host is named after the owner of the build's own repository. */
export function isOwnHost(build: ScannedBuild, host: string): boolean {
  const name = ownerOf(host);
  return name.length > 3 && [...ownOwners(build)].some((owner) => owner.endsWith(`/${name}`));
}

const ownOwners = once((build: ScannedBuild): ReadonlySet<string> => {
  const text = build.files.find(({ path }) => path === 'package.json')?.text;
  const fields = [build.manifest.repository, text && readJsonObject(text)?.['repository']];
  const owners = fields
    .map((field) => (isObject(field) ? field['url'] : field))
    .map((url) =>
      typeof url === 'string' ? ownerIn(`${servicePlaceOf(normal(url))}/`) : undefined,
    );
  return new Set(owners.filter((owner) => owner !== undefined));
});

/** The forms of package.json: `owner/name`, `github:owner/name`, `git+https://...`, `git@host:owner/name`. */
function normal(repository: string): string {
  const url = repository.trim().replace(/^git\+/, '');
  if (/^[\w.-]+\/[\w.-]+$/.test(url)) return `https://github.com/${url}`;
  return url
    .replace(/^(github|gitlab):/, (_, service: string) => `https://${service}.com/`)
    .replace(/^(?:ssh:\/\/)?git@([\w.-]+)[:/]/, 'https://$1/')
    .replace(/^(?:git|ssh):/, 'https:');
}

/** Host and path in lower case, under one name of the service. */
function servicePlaceOf(address: string): string {
  const place = placeOf(address).toLowerCase();
  for (const [pattern, name] of SAME_SERVICE) {
    if (pattern.test(place)) return place.replace(pattern, name);
  }
  return place;
}

/** `host/owner`; `undefined` where the service has no owners, or the owner is not constant. */
function ownerIn(place: string): string | undefined {
  const owner = OWNED.exec(place)?.[1];
  return owner?.includes(UNKNOWN) === true ? undefined : owner;
}
