// The page /account: address, password, sessions, second factor, passkeys, providers, and the end of the account.

import { type ReactNode, useEffect, useState } from 'react';
import { Link, useHref, useNavigate } from 'react-router';
import { AccountApiError, type AuthSession, send, type User } from './api.js';
import { Button, Notice, Panel } from './components.js';
import { AccountForm, Field, PasswordField } from './form.js';
import { textOf } from './login.js';
import { addPasskey, hasPasskeys, type PasskeyEntry } from './passkeys.js';
import { logOut, setUser, useFeature, useSession } from './session.js';

export function AccountPage() {
  const session = useSession();
  if (session.status !== 'user') return null;
  const { email } = session.user;
  const parts: Readonly<Record<string, ReactNode>> = {
    '/verification': <VerificationPanel />,
    '/password': <PasswordPanel email={email} />,
    '/totp': <TotpPanel />,
    '/passkeys': hasPasskeys() ? <PasskeysPanel /> : null,
    '/sessions': <SessionsPanel />,
  };
  return (
    <div className="account-ui account-page">
      <title>Your account</title>
      <header>
        <h1>Your account</h1>
        <p>{email}</p>
      </header>
      {Object.entries(parts).map(([path, part]) => (
        <WithFeature key={path} path={path}>
          {part}
        </WithFeature>
      ))}
      <DeletePanel />
    </div>
  );
}

function WithFeature({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  return useFeature(path) === true ? children : null;
}

/** What a GET answers, asked again by `reload`. */
function useData<T>(path: string): { readonly data?: T; readonly fault?: string; readonly reload: () => void } {
  const [state, setState] = useState<{ readonly data?: T; readonly fault?: string }>({});
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isOver = false;
    const show = (next: typeof state) => isOver || setState(next);
    send<T>('GET', path).then((data) => show({ data }), (error: unknown) => show({ fault: textOf(error) }));
    return () => {
      isOver = true;
    };
  }, [path, count]);
  return { ...state, reload: () => setCount((before) => before + 1) };
}

/** Runs an action of a button, and keeps what went wrong. */
function useAction(): { readonly failed: ReactNode; readonly run: (action: () => Promise<unknown>) => void } {
  const [fault, setFault] = useState<string>();
  const run = (action: () => Promise<unknown>) => {
    setFault(undefined);
    action().catch((error: unknown) => setFault(isTooOld(error) ? 'Your login was too long ago for this: log out, log in, and try again.' : textOf(error)));
  };
  return { failed: fault === undefined ? null : <Notice tone="bad">{fault}</Notice>, run };
}

function isTooOld(error: unknown): boolean {
  return error instanceof AccountApiError && error.code === 'recent_login_required';
}

function VerificationPanel() {
  const { data } = useData<{ readonly user: { readonly email_verified_at: string | null } }>('/verification');
  const [isSent, setSent] = useState(false);
  const { failed, run } = useAction();
  if (data === undefined) return null;
  if (data.user.email_verified_at !== null) return <Notice tone="good">Your address is verified.</Notice>;
  return (
    <Panel title="Verify your address">
      <p>{isSent ? 'A mail is on its way. Follow its link.' : 'Show that the address is yours: follow the link in the mail that we send you.'}</p>
      {failed}
      {!isSent && <Button onClick={() => run(() => send('POST', '/verification').then(() => setSent(true)))}>Send the mail</Button>}
    </Panel>
  );
}

function PasswordPanel({ email }: { readonly email: string }) {
  const [count, setCount] = useState(0);
  async function change({ current_password, new_password }: Readonly<Record<string, string>>): Promise<void> {
    const { user } = await send<{ readonly user: User }>('POST', '/password', { current_password, new_password });
    setUser(user);
    setCount(count + 1);
  }
  return (
    <Panel title="Password">
      {count > 0 && <Notice tone="good">Your password is changed, and all other sessions are ended.</Notice>}
      <AccountForm key={count} submit="Change the password" about={{ wrong_password: 'current_password' }} onSubmit={change}>
        {/* For password managers. */}
        <input hidden readOnly autoComplete="username" value={email} />
        <PasswordField name="current_password" label="Current password" />
        <PasswordField isNew name="new_password" label="New password" />
      </AccountForm>
    </Panel>
  );
}

function SessionsPanel() {
  const { data, fault, reload } = useData<{ readonly sessions: readonly AuthSession[] }>('/sessions');
  const { failed, run } = useAction();
  const end = (id: string) => run(() => send('DELETE', `/sessions/${encodeURIComponent(id)}`).then(reload));
  const endAll = () =>
    run(async () => {
      await send('POST', '/logout-all');
      setUser(undefined);
    });
  return (
    <Panel title="Where you are logged in">
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
      {failed}
      <ul className="account-list">
        {data?.sessions.map(({ id, device, created_at, current }) => (
          <li key={id}>
            <span>
              <strong>{nameOfDevice(device)}</strong> {current && <em className="account-badge">this one</em>}
              <small>since {formatTime(created_at)}</small>
            </span>
            {!current && (
              <Button tone="plain" onClick={() => end(id)} aria-label={`End the session of ${nameOfDevice(device)}, since ${formatTime(created_at)}`}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button tone="plain" onClick={endAll}>
        Log out everywhere
      </Button>
    </Panel>
  );
}

interface Totp {
  readonly enabled: boolean;
  readonly recovery_codes_left: number;
}

function TotpPanel() {
  const { data, fault, reload } = useData<Totp>('/totp');
  const [setup, setSetup] = useState<{ readonly secret: string; readonly qr_svg: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  const { failed, run } = useAction();
  async function confirm({ code }: Readonly<Record<string, string>>): Promise<void> {
    setCodes((await send<{ readonly recovery_codes: readonly string[] }>('POST', '/totp/confirm', { code: code?.trim() })).recovery_codes);
    setSetup(undefined);
    reload();
  }
  const about = { invalid_code: 'code', code_locked: 'code' };
  const codeField = <Field name="code" label="Code of the app" inputMode="numeric" autoComplete="one-time-code" />;
  return (
    <Panel title="Second factor">
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
      {failed}
      {codes && (
        <Notice tone="good">
          It is on. Keep these recovery codes where you find them without your phone; they are shown this once:
          <code className="account-codes">{codes.join('\n')}</code>
        </Notice>
      )}
      {data?.enabled && !codes && <p>A code of your app is asked for at each login. You have {data.recovery_codes_left} recovery codes left.</p>}
      {data?.enabled && (
        <AccountForm submit="Turn it off" tone="plain" about={about} onSubmit={({ code }) => send('POST', '/totp/disable', { code: code?.trim() }).then(() => (setCodes(undefined), reload()))}>
          {codeField}
        </AccountForm>
      )}
      {data && !data.enabled && !setup && (
        <>
          <p>A code of an authenticator app on your phone, besides the password.</p>
          <Button onClick={() => run(() => send<{ readonly secret: string; readonly qr_svg: string }>('POST', '/totp').then(setSetup))}>Set it up</Button>
        </>
      )}
      {setup && (
        <>
          <p>Scan this with your app, or type the key, and enter the code that it shows.</p>
          <img className="account-qr" alt="QR code of the key" src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`} />
          <code className="account-codes">{setup.secret}</code>
          <AccountForm submit="Turn it on" about={about} onSubmit={confirm}>
            {codeField}
          </AccountForm>
        </>
      )}
    </Panel>
  );
}

function PasskeysPanel() {
  const { data, fault, reload } = useData<{ readonly passkeys: readonly PasskeyEntry[] }>('/passkeys');
  const { failed, run } = useAction();
  return (
    <Panel title="Passkeys">
      <p>Log in with the lock of your device in place of a password.</p>
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
      {failed}
      <ul className="account-list">
        {data?.passkeys.map(({ id, name, created_at }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong> <small>since {formatTime(created_at)}</small>
            </span>
            <Button tone="plain" aria-label={`Delete ${name}`} onClick={() => run(() => send('DELETE', `/passkeys/${encodeURIComponent(id)}`).then(reload))}>
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <Button onClick={() => run(async () => (await addPasskey()) && reload())}>Add a passkey</Button>
    </Panel>
  );
}

function DeletePanel() {
  const [isAsking, setAsking] = useState(false);
  const home = useHref('/');
  async function remove(): Promise<void> {
    await send('DELETE', '/me');
    setUser(undefined);
    // A new page, with nothing of the account in it: this one would go to the login.
    location.replace(home);
  }
  return (
    <Panel title="Delete the account">
      <p>Your account and what belongs to it are deleted at once, and cannot be restored.</p>
      {isAsking ? (
        <AccountForm submit="Delete it for good" tone="danger" onSubmit={remove}>
          <Field name="confirmation" label='Type "delete"' pattern="delete" title='The word "delete"' autoComplete="off" />
          <Button type="button" tone="plain" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </AccountForm>
      ) : (
        <Button tone="danger" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      )}
    </Panel>
  );
}

/** For the header of all pages: the account, or the login. */
export function AccountNavigation() {
  const session = useSession();
  const navigate = useNavigate();
  if (session.status === 'loading') return null;
  if (session.status !== 'user') {
    return (
      <>
        <Link to="/login">Log in</Link>
        <Link to="/register">Register</Link>
      </>
    );
  }
  return (
    <>
      <Link to="/account">{session.user.email}</Link>
      <button type="button" className="account-link-button" onClick={() => void logOut().then(() => navigate('/'), () => location.reload())}>
        Log out
      </button>
    </>
  );
}

/** "Firefox on Linux" for a `User-Agent`, which its client chooses. */
export function nameOfDevice(device: string | null): string {
  if (device === null) return 'Unknown device';
  const found = (names: Readonly<Record<string, RegExp>>) => Object.keys(names).find((name) => names[name]?.test(device));
  const browser = found({ Edge: /\bEdg/, Opera: /\bOPR/, Firefox: /\bFirefox|FxiOS/, Chrome: /Chrome|CriOS/, Safari: /\bSafari/ });
  const system = found({ Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS X/, Linux: /Linux|X11/ });
  if (browser === undefined) return device.length > 40 ? `${device.slice(0, 40)} …` : device;
  return system === undefined ? browser : `${browser} on ${system}`;
}

function formatTime(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
