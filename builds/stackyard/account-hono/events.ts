// What the account routes report, for audit logs and metrics. No event contains a password, a hash or a token.

export type AccountEventType =
  | 'registered'
  | 'logged_in'
  | 'login_failed'
  | 'logged_out'
  | 'logged_out_everywhere'
  | 'password_changed'
  | 'password_change_failed'
  | 'password_rehashed'
  | 'account_deleted'
  | 'session_ended'
  | 'password_reset_requested'
  | 'password_reset'
  | 'password_reset_failed'
  | 'email_verification_requested'
  | 'email_verified'
  | 'email_verification_failed'
  | 'throttled'
  | 'overloaded'
  | 'hash_unreadable';

export interface AccountEvent {
  readonly type: AccountEventType;
  /** UTC, such as `2026-11-21T09:30:00.000Z`. */
  readonly at: string;
  /** The client, see `toNetwork`. */
  readonly address: string;
  readonly userId?: number;
  /** What the client sent, normalised. A stranger chooses it: it may be long and hold any character. */
  readonly email?: string;
}

/** Takes events. Must return at once; what it throws is logged and has no effect on the request. */
export type AccountEventListener = (event: AccountEvent) => void;
