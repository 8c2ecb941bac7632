/**
 * Personal data and secrets in a short text that will be published. It finds what has a known form; it
 * cannot recognise a name in plain words.
 */

const E_MAIL: RegExp =
  /[^\s@<>"',;:()[\]]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,24}(?![a-z0-9-])/i;
const PHONE: RegExp = /(?<![\w.+-])(?:\+|00)?\d(?:[ ()./-]{0,2}\d){8,14}(?![\w-])/;
const DATE: RegExp = /\d{4}-\d{2}-\d{2}/g;
const IP_ADDRESS: RegExp = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g;
const TOKEN_PREFIX: RegExp =
  /(?:\b(?:gh[opsu]_|github_pat_|glpat-|sk-|xox[abprs]-|npm_|pypi-|AKIA|AIza|ya29\.)[\w-]{10}|\beyJ[\w-]{8,}\.|-----BEGIN )/;
const LONG_WORD: RegExp = /[A-Za-z0-9_+/-]{32,}/g;

/**
 * What kind of personal data or secret `text` holds, in words; `undefined` when there is none. The
 * time is linear for short texts: the caller limits the length.
 * @example
 * personalDataIn('Ask bob@example.org'); // 'an e-mail address'
 */
export function personalDataIn(text: string): string | undefined {
  if (E_MAIL.test(text)) return 'an e-mail address';
  if (TOKEN_PREFIX.test(text)) return 'a token';
  if ([...text.matchAll(LONG_WORD)].some(([word]) => isRandom(word))) return 'a token';
  if ([...text.matchAll(IP_ADDRESS)].some(([address]) => isPublicAddress(address))) {
    return 'an IP address';
  }
  return PHONE.test(text.replaceAll(DATE, ' ').replaceAll(IP_ADDRESS, ' '))
    ? 'a phone number'
    : undefined;
}

/** Digits and letters mixed, unlike any path or word of that length. */
function isRandom(word: string): boolean {
  const digits = word.replaceAll(/\D/g, '').length;
  return (
    digits >= 4 &&
    /[A-Za-z]/.test(word) &&
    !word.includes('--') &&
    word.split(/[-_/]/).some((part) => part.length >= 20)
  );
}

function isPublicAddress(address: string): boolean {
  const [a = 0, b = 0, ...rest] = address.split('.').map(Number);
  if ([a, b, ...rest].some((octet) => octet > 255)) return false;
  const isPrivate =
    a === 0 ||
    a === 10 ||
    a === 127 ||
    (a === 192 && b === 168) ||
    (a === 172 && b >= 16 && b < 32);
  return !isPrivate;
}
