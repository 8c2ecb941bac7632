// What the database has: passkeys, which are public keys with what the authenticator says of itself, and challenges, each of
// which is used once, in the statement that deletes it.

import { portableMigrations, type Sql } from '../sql/index.js';

export const passkeyMigrations = portableMigrations([
  {
    id: '0001_passkeys_create',
    up: `CREATE TABLE passkeys (
      id TEXT PRIMARY KEY, user_id BIGINT NOT NULL, user_handle TEXT NOT NULL, public_key TEXT NOT NULL, counter BIGINT NOT NULL,
      transports TEXT NOT NULL, aaguid TEXT NOT NULL, name TEXT NOT NULL, backup_eligible BIGINT NOT NULL, backed_up BIGINT NOT NULL,
      created_at BIGINT NOT NULL, last_used_at BIGINT)`,
  },
  { id: '0002_passkeys_index', up: 'CREATE INDEX passkeys_user ON passkeys (user_id)' },
  {
    id: '0003_passkeys_create_challenges',
    up: 'CREATE TABLE passkey_challenges (challenge TEXT PRIMARY KEY, user_id BIGINT, user_handle TEXT, expires_at BIGINT NOT NULL)',
  },
]);

/** Texts are in base64url, times in milliseconds since 1970, truth values 0 and 1. */
export interface Passkey {
  /** Id of the credential, chosen by the authenticator. */
  readonly id: string;
  readonly userId: number;
  /** What the authenticator knows the account by: random, the same for all passkeys of the account. */
  readonly userHandle: string;
  /** In the form of COSE. */
  readonly publicKey: string;
  /** Uses, as the authenticator counts; 0 where it does not. */
  readonly counter: number;
  /** Separated by commas. */
  readonly transports: string;
  /** The model of the authenticator, as it says. */
  readonly aaguid: string;
  readonly name: string;
  /** Whether the authenticator may copy it to other devices; that never changes. */
  readonly backupEligible: number;
  readonly backedUp: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** Of a registration, with the account; of a login, without. */
export interface Challenge {
  readonly userId: number | null;
  readonly userHandle: string | null;
}

const COLUMNS: readonly (readonly [column: string, field: keyof Passkey])[] = [
  ['id', 'id'], ['user_id', 'userId'], ['user_handle', 'userHandle'], ['public_key', 'publicKey'], ['counter', 'counter'],
  ['transports', 'transports'], ['aaguid', 'aaguid'], ['name', 'name'], ['backup_eligible', 'backupEligible'], ['backed_up', 'backedUp'],
  ['created_at', 'createdAt'], ['last_used_at', 'lastUsedAt'],
];
const FIELDS = COLUMNS.map(([column, field]) => `${column} AS "${field}"`).join(', ');

export function createPasskeyStore(sql: Sql) {
  return {
    list: (userId: number): Promise<Passkey[]> => sql.query<Passkey>(`SELECT ${FIELDS} FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`, [userId]),

    async find(id: string): Promise<Passkey | undefined> {
      const [passkey] = await sql.query<Passkey>(`SELECT ${FIELDS} FROM passkeys WHERE id = $1`, [id]);
      return passkey;
    },

    /** Returns whether it was added: an id is there once. */
    async add(passkey: Passkey): Promise<boolean> {
      const rows = await sql.query(
        `INSERT INTO passkeys (${COLUMNS.map(([column]) => column).join(', ')}) VALUES (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})
         ON CONFLICT (id) DO NOTHING RETURNING id`,
        COLUMNS.map(([, field]) => passkey[field]),
      );
      return rows.length > 0;
    },

    /** Notes a login, unless one with the same count or a higher one came between. Returns whether it did. */
    async use(passkey: Passkey, counter: number, backedUp: number, now: number): Promise<boolean> {
      const rows = await sql.query(
        `UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = $4
         WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`,
        [passkey.id, counter, backedUp, now],
      );
      return rows.length > 0;
    },

    async rename(userId: number, id: string, name: string): Promise<Passkey | undefined> {
      const [passkey] = await sql.query<Passkey>(`UPDATE passkeys SET name = $3 WHERE user_id = $1 AND id = $2 RETURNING ${FIELDS}`, [userId, id, name]);
      return passkey;
    },

    async remove(userId: number, id: string): Promise<boolean> {
      return (await sql.query('DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING id', [userId, id])).length > 0;
    },

    async addChallenge(challenge: string, { userId, userHandle }: Challenge, now: number, expiresAt: number): Promise<void> {
      await sql.query('DELETE FROM passkey_challenges WHERE expires_at <= $1', [now]);
      await sql.query('INSERT INTO passkey_challenges (challenge, user_id, user_handle, expires_at) VALUES ($1, $2, $3, $4)', [
        challenge, userId, userHandle, expiresAt,
      ]);
    },

    /** Uses up a challenge: one of a registration by this account, or with null one of a login. */
    async takeChallenge(challenge: string, userId: number | null, now: number): Promise<Challenge | undefined> {
      const [found] = await sql.query<Challenge>(
        `DELETE FROM passkey_challenges WHERE challenge = $1 AND expires_at > $2 AND COALESCE(user_id, 0) = $3
         RETURNING user_id AS "userId", user_handle AS "userHandle"`,
        [challenge, now, userId ?? 0],
      );
      return found;
    },

    async removeUser(userId: number): Promise<void> {
      await sql.query('DELETE FROM passkeys WHERE user_id = $1', [userId]);
      await sql.query('DELETE FROM passkey_challenges WHERE user_id = $1', [userId]);
    },
  };
}

export type PasskeyStore = ReturnType<typeof createPasskeyStore>;
