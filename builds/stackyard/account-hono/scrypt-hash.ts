// The text in which a password hash is stored, and the limits beyond which it is refused.
//
//   $scrypt$ln=15,r=8,p=3$<salt>$<key>        base64 without padding, N = 2^ln
//
// The form is that of the PHC string format. A stored text decides how much memory a login takes, so one from a broken
// import or a tampered database is refused, not computed.

export interface ScryptCost {
  /** Binary logarithm of N, the CPU and memory cost (RFC 7914 section 2). A hash takes 128 * N * r bytes. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

export interface ScryptHash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const PHC_FORM =
  /^\$scrypt\$ln=([1-9][0-9]?),r=([1-9][0-9]?),p=([1-9][0-9]?)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const MAX_TEXT_LENGTH = 256;
const MAX_COST: ScryptCost = { logN: 17, r: 8, p: 10 };
const SALT_BYTES = { min: 8, max: 64 };
const KEY_BYTES = { min: 16, max: 64 };

/** The text to store. The inverse of `tryParseScryptHash`. */
export function formatScryptHash({ cost, salt, key }: ScryptHash): string {
  return `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${encode(salt)}$${encode(key)}`;
}

/** Reads a stored text; `undefined` when it has another form or exceeds a bound. */
export function tryParseScryptHash(text: string): ScryptHash | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const [, logN, r, p, saltText, keyText] = PHC_FORM.exec(text) ?? [];
  if (saltText === undefined || keyText === undefined) return undefined;
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const salt = tryDecode(saltText, SALT_BYTES);
  const key = tryDecode(keyText, KEY_BYTES);
  return isAcceptableCost(cost) && salt && key ? { cost, salt, key } : undefined;
}

/** Whether the parameters are whole numbers from 1 to 17 (`logN`), 8 (`r`) and 10 (`p`). */
export function isAcceptableCost({ logN, r, p }: ScryptCost): boolean {
  return isWithin(logN, MAX_COST.logN) && isWithin(r, MAX_COST.r) && isWithin(p, MAX_COST.p);
}

/** Whether `stored` takes less work than `current`. */
export function isWeaker(stored: ScryptCost, current: ScryptCost): boolean {
  return work(stored) < work(current);
}

function work({ logN, r, p }: ScryptCost): number {
  return 2 ** logN * r * p;
}

function isWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max;
}

function tryDecode(text: string, bounds: { readonly min: number; readonly max: number }): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return encode(bytes) === text && bytes.length >= bounds.min && bytes.length <= bounds.max
    ? bytes
    : undefined;
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
