// The pages /login and /register: password, second factor, providers and passkeys, whichever the API has.

import { type ReactNode, useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { AccountApiError, type LoginAnswer, send, type User } from './api.js';
import { Button, CardPage, Divider, Notice } from './components.js';
import { AccountForm, EmailField, Field, PasswordField } from './form.js';
import { hasPasskeys, logInByPasskey } from './passkeys.js';
import { ProviderButtons, socialFault } from './social.js';
import { refreshSession, setUser, useFeature, useSession } from './session.js';

/** The page to go to after a login: one of this application, whatever the address says. */
export function nextPage(query: URLSearchParams, fallback = '/'): string {
  const wanted = query.get('next') ?? '';
  // Browsers read "//host" and "/\host" as another host.
  return /^\/(?![/\\])/.test(wanted) ? wanted : fallback;
}

/** Keeps `next` in links between the pages. */
function withNext(path: string, query: URLSearchParams): string {
  const next = query.get('next');
  return next === null ? path : `${path}?${new URLSearchParams({ next }).toString()}`;
}

interface Challenge {
  readonly names: readonly string[];
  readonly challenge: string;
}

/** What the pages do with the answer of a login, by whichever way. */
function useLogin() {
  const [challenge, setChallenge] = useState<Challenge>();
  const answer = (result: LoginAnswer) => {
    if ('user' in result) setUser(result.user);
    else setChallenge({ names: result.secondFactor, challenge: result.challenge });
  };
  return { challenge, answer, restart: () => setChallenge(undefined) };
}

export function LoginPage() {
  const [query] = useSearchParams();
  const session = useSession();
  const hasReset = useFeature('/password-reset');
  const { challenge, answer, restart } = useLogin();
  const [fault, setFault] = useState(socialFault(query.get('social_error')));

  const isBack = query.get('social') === 'login';
  useEffect(() => {
    if (!isBack) return;
    // A provider has sent the visitor back: the server knows whom, by a cookie of this browser.
    send<LoginAnswer>('POST', '/social/token').then(answer, (error: unknown) => setFault(textOf(error)));
    // oxlint-disable-next-line react/exhaustive-deps -- once for each visit
  }, [isBack]);

  if (session.status === 'user') return <Navigate to={nextPage(query)} replace />;
  if (challenge) {
    return <SecondFactor {...challenge} onDone={setUser} onRestart={(text) => (setFault(text), restart())} />;
  }
  return (
    <CardPage title="Log in">
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
      {query.get('notice') === 'reset' && <Notice tone="good">Your password is changed. Log in with the new one.</Notice>}
      <AccountForm submit="Log in" onSubmit={async ({ email, password }) => (setFault(undefined), answer(await send<LoginAnswer>('POST', '/login', { email, password })))}>
        <EmailField />
        <PasswordField />
      </AccountForm>
      <OtherWays onAnswer={answer} onFault={setFault} />
      <ul className="account-links">
        {hasReset && (
          <li>
            <Link to="/forgot-password">Forgot your password?</Link>
          </li>
        )}
        <li>
          No account yet? <Link to={withNext('/register', query)}>Register</Link>
        </li>
      </ul>
    </CardPage>
  );
}

export function RegisterPage() {
  const [query] = useSearchParams();
  const session = useSession();
  const navigate = useNavigate();
  const verifies = useFeature('/verification');
  const [isNew, setNew] = useState(false);
  if (session.status === 'user' && !isNew) return <Navigate to={nextPage(query)} replace />;

  async function register({ email, password }: Readonly<Record<string, string>>): Promise<void> {
    const { user } = await send<{ readonly user: User }>('POST', '/register', { email, password });
    setNew(true);
    setUser(user);
    await navigate(verifies ? withNext('/check-mail', query) : nextPage(query), { replace: true });
  }

  return (
    <CardPage title="Create an account">
      <AccountForm submit="Create account" about={{ email_taken: 'email' }} onSubmit={register}>
        <EmailField />
        <PasswordField isNew />
      </AccountForm>
      <ProviderButtons divider={<Divider>or</Divider>} />
      <ul className="account-links">
        <li>
          You have an account? <Link to={withNext('/login', query)}>Log in</Link>
        </li>
      </ul>
    </CardPage>
  );
}

interface OtherWaysProps {
  readonly onAnswer: (answer: LoginAnswer) => void;
  readonly onFault: (text: string | undefined) => void;
}

function OtherWays({ onAnswer, onFault }: OtherWaysProps): ReactNode {
  const hasRoute = useFeature('/passkeys/login') === true && hasPasskeys();
  const divider = <Divider>or</Divider>;
  const logIn = () => {
    onFault(undefined);
    logInByPasskey().then((answer) => answer && onAnswer(answer), (error: unknown) => onFault(textOf(error)));
  };
  if (!hasRoute) return <ProviderButtons divider={divider} />;
  return (
    <>
      {divider}
      <Button tone="plain" onClick={logIn}>
        Log in with a passkey
      </Button>
      <ProviderButtons />
    </>
  );
}

interface SecondFactorProps extends Challenge {
  readonly onDone: (user: User) => void;
  readonly onRestart: (text: string) => void;
}

function SecondFactor({ names, challenge, onDone, onRestart }: SecondFactorProps) {
  const [usesRecovery, setRecovery] = useState(false);
  async function finish({ code }: Readonly<Record<string, string>>): Promise<void> {
    try {
      onDone((await send<{ readonly user: User }>('POST', '/totp/login', { challenge, code: code?.trim() })).user);
    } catch (error) {
      // The challenge has had its time.
      if (error instanceof AccountApiError && error.status === 401) return onRestart('That took too long. Log in again.');
      throw error;
    }
  }
  if (!names.includes('totp')) {
    return (
      <CardPage title="One more step">
        <Notice tone="bad">This account needs a second factor that this page does not know: {names.join(', ')}.</Notice>
      </CardPage>
    );
  }
  return (
    <CardPage title="One more step">
      <p>{usesRecovery ? 'Enter one of the recovery codes that you have kept.' : 'Enter the code that your authenticator app shows.'}</p>
      <AccountForm key={String(usesRecovery)} submit="Continue" about={{ invalid_code: 'code', code_locked: 'code' }} onSubmit={finish}>
        {usesRecovery ? (
          <Field name="code" label="Recovery code" autoComplete="off" />
        ) : (
          <Field name="code" label="Code" inputMode="numeric" autoComplete="one-time-code" pattern="[0-9 ]{6,7}" title="Six digits" />
        )}
      </AccountForm>
      <div className="account-links">
        <Button tone="plain" onClick={() => setRecovery(!usesRecovery)}>
          {usesRecovery ? 'Use the app' : 'Use a recovery code'}
        </Button>
      </div>
    </CardPage>
  );
}

/** Shows `children` to those who are logged in, and the login to others, who come back after it. */
export function RequireSession({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.status === 'user') return children;
  if (session.status === 'anonymous') {
    const query = new URLSearchParams({ next: pathname + search });
    return <Navigate to={`/login?${query.toString()}`} replace />;
  }
  if (session.status === 'loading') return <output>One moment …</output>;
  return (
    <div className="account-ui">
      <Notice tone="bad">
        The server cannot be reached. <Button tone="plain" onClick={() => void refreshSession()}>Try again</Button>
      </Notice>
    </div>
  );
}

/** The text of an error for people. */
export function textOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message;
  return 'Something went wrong. Try again.';
}
