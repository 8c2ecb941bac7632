// The pages /login and /register: password, second factor, providers and passkeys, whichever the API has.

import { type ReactNode, use, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../api/client.js';
import { Field, Form } from '../form.js';
import { authClient, FeaturesContext, result, useSession, type Values } from './client.js';
import { Action, Card, CodeField, EmailField, NewPasswordField, Notice, PasswordField } from './components.js';
import { hasPasskeys, logInByPasskey } from './passkeys.js';

/** The page to go to after a login: one of this application, whatever the address says. */
function nextPage(query: URLSearchParams): string {
  const next = query.get('next') ?? '';
  // Browsers read "//host" and "/\host" as another host.
  return /^\/(?![/\\])/.test(next) ? next : '/';
}

export function LoginPage() {
  const [query] = useSearchParams();
  const { data: session } = useSession();
  const { mail } = use(FeaturesContext);
  const navigate = useNavigate();
  const [needsCode, setNeedsCode] = useState(false);
  if (session) return <Navigate to={nextPage(query)} replace />;
  if (needsCode) return <SecondFactor />;

  async function logIn({ email = '', password = '' }: Values): Promise<void> {
    try {
      const answer = await result(authClient.signIn.email({ email, password }));
      setNeedsCode('twoFactorRedirect' in answer);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED')) throw error;
      await result(authClient.sendVerificationEmail({ email, callbackURL: '/verify-email' }));
      await navigate('/login?sent');
    }
  }

  return (
    <Card isPage title="Log in">
      {query.has('reset') && <Notice>Your password is changed. Log in with the new one.</Notice>}
      {query.has('error') && <Notice isBad>The login at the provider failed. Try again.</Notice>}
      {query.has('sent') && <Notice>A mail is on its way. Follow its link, and log in then.</Notice>}
      <Form submit="Log in" onSubmit={logIn}>
        <EmailField />
        <PasswordField />
      </Form>
      <OtherWays />
      <p className="auth-links">
        {mail && <Link to="/forgot-password">Forgot your password?</Link>}
        <Link to={{ pathname: '/register', search: query.toString() }}>Create an account</Link>
      </p>
    </Card>
  );
}

function OtherWays() {
  const [query] = useSearchParams();
  const { passkey, providers = [] } = use(FeaturesContext);
  const back = { callbackURL: nextPage(query), errorCallbackURL: '/login' };
  return (
    <>
      {passkey && hasPasskeys() && <Action onAct={logInByPasskey}>Log in with a passkey</Action>}
      {providers.map((provider) => (
        <Action key={provider} onAct={() => result(authClient.signIn.social({ provider, ...back }))}>
          {`Continue with ${provider.charAt(0).toUpperCase()}${provider.slice(1)}`}
        </Action>
      ))}
    </>
  );
}

function SecondFactor() {
  const [isBackup, setBackup] = useState(false);
  async function send({ code = '' }: Values): Promise<void> {
    const { verifyTotp, verifyBackupCode } = authClient.twoFactor;
    await result<unknown>((isBackup ? verifyBackupCode : verifyTotp)({ code }));
  }
  return (
    <Card isPage title="One more step">
      <Form key={String(isBackup)} submit="Continue" onSubmit={send}>
        {isBackup ? <Field name="code" label="Backup code" autoComplete="off" required /> : <CodeField />}
      </Form>
      <button type="button" className="auth-link" onClick={() => setBackup(!isBackup)}>
        {isBackup ? 'Use the app' : 'Use a backup code'}
      </button>
    </Card>
  );
}

export function RegisterPage() {
  const [query] = useSearchParams();
  const { data: session } = useSession();
  const navigate = useNavigate();
  if (session) return <Navigate to={nextPage(query)} replace />;

  async function register({ name = '', email = '', newPassword: password = '' }: Values): Promise<void> {
    const { token } = await result(authClient.signUp.email({ name, email, password, callbackURL: '/verify-email' }));
    if (token === null) await navigate('/login?sent');
  }

  return (
    <Card isPage title="Create an account">
      <Form submit="Create account" onSubmit={register}>
        <Field name="name" label="Name" autoComplete="name" required maxLength={100} />
        <EmailField />
        <NewPasswordField label="Password" />
      </Form>
      <OtherWays />
      <p className="auth-links">
        <Link to={{ pathname: '/login', search: query.toString() }}>Log in to your account</Link>
      </p>
    </Card>
  );
}

/** Shows `children` to those who are logged in, and the login to others, who come back after it. */
export function RequireSession({ children }: { readonly children: ReactNode }) {
  const { data, isPending, error, refetch } = useSession();
  const { pathname, search } = useLocation();
  if (data) return children;
  if (isPending) return <output>One moment …</output>;
  if (!error) return <Navigate to={`/login?${new URLSearchParams({ next: pathname + search })}`} replace />;
  return (
    <Card isPage title="The server cannot be reached">
      <Action onAct={refetch}>Try again</Action>
    </Card>
  );
}
