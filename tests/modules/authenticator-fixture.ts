/** An authenticator of WebAuthn in software, with one P-256 key for each account, which can answer wrongly. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a test changes. */
export interface Tricks {
  origin?: string;
  rpId?: string;
  /** `webauthn.create` or `webauthn.get`. */
  type?: string;
  challenge?: string;
  userHandle?: string;
  /** In place of the next count. */
  counter?: number;
  isVerified?: boolean;
  isPresent?: boolean;
  backupEligible?: boolean;
  backedUp?: boolean;
  /** Signs with another key. */
  otherKey?: boolean;
  extra?: object;
}

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id?: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

export class Authenticator {
  readonly id = randomBytes(32);
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  readonly #counts: boolean;
  #counter = 0;
  #userHandle = '';
  #rpId = '';

  constructor(origin: string, counts = true) {
    this.#origin = origin;
    this.#counts = counts;
  }

  /** As `toJSON()` of what `navigator.credentials.create` gives. */
  create({ challenge, rp, user }: Options, tricks: Tricks = {}): object {
    this.#userHandle = user?.id ?? '';
    this.#rpId = rp?.id ?? '';
    const idLength = Buffer.from([0, this.id.length]);
    const data = Buffer.concat([
      this.#head(tricks, true),
      Buffer.alloc(16),
      idLength,
      this.id,
      this.#coseKey(),
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', data],
    ]);
    const response = {
      clientDataJSON: this.#clientData('webauthn.create', challenge, tricks).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['internal', 'hybrid'],
    };
    return this.#credential(response, tricks);
  }

  /** As `toJSON()` of what `navigator.credentials.get` gives. */
  get({ challenge }: Options, tricks: Tricks = {}): object {
    const data = this.#head(tricks, false);
    const clientData = this.#clientData('webauthn.get', challenge, tricks);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    const key: KeyObject = tricks.otherKey
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.#pair.privateKey;
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, key).toString('base64url'),
      userHandle: tricks.userHandle ?? this.#userHandle,
    };
    return this.#credential(response, tricks);
  }

  #credential(response: object, { extra }: Tricks): object {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {}, ...extra };
  }

  #clientData(type: string, challenge: string, tricks: Tricks): Buffer {
    const origin = tricks.origin ?? this.#origin;
    return Buffer.from(
      JSON.stringify({
        type: tricks.type ?? type,
        challenge: tricks.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    );
  }

  #head(
    {
      rpId = this.#rpId,
      counter,
      isVerified = true,
      isPresent = true,
      backupEligible = true,
      backedUp = true,
    }: Tricks,
    hasKey: boolean,
  ): Buffer {
    const flags =
      (isPresent ? 1 : 0) |
      (isVerified ? 4 : 0) |
      (backupEligible ? 8 : 0) |
      (backedUp ? 16 : 0) |
      (hasKey ? 64 : 0);
    const count = Buffer.alloc(4);
    if (this.#counts) count.writeUInt32BE(counter ?? ++this.#counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
  }

  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' });
    const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
    return encode(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    );
  }
}

/** CBOR (RFC 8949), as far as it is needed. */
function encode(value: unknown): Buffer {
  const head = (major: number, count: number): Buffer =>
    count < 24
      ? Buffer.from([(major << 5) | count])
      : count < 256
        ? Buffer.from([(major << 5) | 24, count])
        : Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, item]) => [encode(key), encode(item)]),
    ]);
  throw new TypeError('Not needed');
}
