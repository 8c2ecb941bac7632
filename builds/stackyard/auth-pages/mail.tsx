// The pages for what comes by mail: /forgot-password, /reset-password?token=..., /verify-email?token=...

import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Form } from '../form.js';
import { authClient, result, useSession, type Values } from './client.js';
import { Action, Card, EmailField, NewPasswordField, Notice } from './components.js';

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  const ask = ({ email = '' }: Values) =>
    result(authClient.requestPasswordReset({ email, redirectTo: '/reset-password' })).then(() => setSentTo(email));
  return (
    <Card isPage title="Forgot your password?">
      {sentTo === undefined ? (
        <Form submit="Send the link" onSubmit={ask}>
          <EmailField />
        </Form>
      ) : (
        <Notice>If there is an account for {sentTo}, a mail with a link is on its way. Look into spam, too.</Notice>
      )}
    </Card>
  );
}

export function ResetPasswordPage() {
  const { token = '' } = useLink();
  const navigate = useNavigate();
  const { refetch } = useSession();
  async function reset({ newPassword = '' }: Values): Promise<void> {
    await result(authClient.resetPassword({ token, newPassword }));
    // It has ended all sessions.
    await refetch();
    await navigate('/login?reset', { replace: true });
  }
  return (
    <Card isPage title="Set a new password">
      <Form submit="Change the password" onSubmit={reset}>
        <NewPasswordField />
      </Form>
      <p className="auth-links">
        <Link to="/forgot-password">The link does not work? Ask for another one</Link>
      </p>
    </Card>
  );
}

/** The link leads here: with a token to be confirmed by a button, or from the API, which has confirmed it. */
export function VerifyEmailPage() {
  const { token = '', error } = useLink();
  const [isDone, setDone] = useState(token === '' && error === undefined);
  const verify = () => result(authClient.verifyEmail({ query: { token } })).then(() => setDone(true));
  return (
    <Card isPage title="Verify your address">
      {error !== undefined && <Notice isBad>This link does not work any more. Log in to get another one.</Notice>}
      {isDone && <Notice>Your address is verified.</Notice>}
      {token !== '' && !isDone && <Action onAct={verify}>Verify my address</Action>}
    </Card>
  );
}

/** What the address says, taken out of it: a token must not stay in the history. */
function useLink(): { token?: string; error?: string } {
  const [found] = useState(() => Object.fromEntries(new URLSearchParams(location.search)));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return found;
}
