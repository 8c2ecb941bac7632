/** Commands that upload: clients of code hosts and of the stores of clouds. */
import type { Program } from './shell-program.ts';

/** Characters of a command that are looked at. */
const MAX_LINE = 2_000;
const CODE_HOST =
  /^(?:gh|glab) (?:(?:gist|snippet|release|issue|pr|mr) (?:create|edit|comment|upload)\b|api .*(?:-[fF]\b|--(?:raw-)?field|--input))/;
const STORE = /^(?:aws|gsutil|gcloud|azcopy|s3cmd|s5cmd|rclone|ossutil)$/;
const VERB = /^(?:cp|copy|copyto|mv|move|moveto|put|rcat|rsync|sync)$/;
/** A place whose name is constant; of `rclone` also a remote. */
const PLACE =
  /^(?:(s3|gs|oss):\/\/([\w-][\w.-]{2,62})|(https:\/\/[\w.-]{3,253}\/.{0,200})|:?[\w-]{2,60}(?:,.{0,200})?:)/;
const AZURE = /^az storage .*\bupload.*--account-name[ =]([\w-]{3,24})/;

/** The address to which a command uploads, `''` for one that only settings have; `undefined` where it uploads nothing. */
export function uploadAddress({ name, texts: words }: Program): string | undefined {
  const line = [name, ...words].join(' ').slice(0, MAX_LINE);
  if (CODE_HOST.test(line)) return 'https://api.github.com/';
  const account = AZURE.exec(line)?.[1];
  if (account !== undefined) return `https://${account}.blob.core.windows.net/`;
  const verb = STORE.test(name) ? words.findIndex((word) => VERB.test(word)) : -1;
  if (verb === -1) return undefined;
  // The first place is what is copied; a download names its own in front.
  const [from = '', ...others] = words.slice(verb + 1).filter((word) => !word.startsWith('-'));
  const to = words[verb] === 'rcat' ? [from, ...others] : PLACE.test(from) ? [] : others;
  const place = to.map((word) => PLACE.exec(word)).find((one) => one !== null);
  if (place === undefined) return undefined;
  const [, scheme, bucket = '', url = ''] = place;
  if (scheme === undefined) return name === 'rclone' || url !== '' ? url : undefined;
  return scheme === 'gs'
    ? `https://storage.googleapis.com/${bucket}`
    : `https://${bucket}.s3.amazonaws.com/`;
}
