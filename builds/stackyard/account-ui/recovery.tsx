// The pages for what comes by mail: /forgot-password, /reset-password?token=..., /check-mail, /verify-email?token=...

import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { send } from './api.js';
import { CardPage, Notice } from './components.js';
import { AccountForm, EmailField, PasswordField } from './form.js';
import { nextPage } from './login.js';
import { refreshSession, setUser, useSession } from './session.js';

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  const [query] = useSearchParams();
  if (sentTo !== undefined) {
    return (
      <CardPage title="Check your mail">
        <Notice tone="good">If there is an account for {sentTo}, a mail with a link is on its way.</Notice>
        <p>The link works once, for half an hour. Look into the folder for spam as well.</p>
        <BackToLogin />
      </CardPage>
    );
  }
  async function ask({ email = '' }: Readonly<Record<string, string>>): Promise<void> {
    await send('POST', '/password-reset', { email });
    setSentTo(email);
  }
  return (
    <CardPage title="Forgot your password?">
      <p>Enter your address, and we send you a link to set a new one.</p>
      <AccountForm submit="Send the link" onSubmit={ask}>
        <EmailField defaultValue={query.get('email') ?? ''} />
      </AccountForm>
      <BackToLogin />
    </CardPage>
  );
}

export function ResetPasswordPage() {
  const token = useToken();
  const navigate = useNavigate();
  async function reset({ new_password }: Readonly<Record<string, string>>): Promise<void> {
    await send('POST', '/password-reset/confirm', { token, new_password });
    // It has ended all sessions.
    setUser(undefined);
    await navigate('/login?notice=reset', { replace: true });
  }
  return (
    <CardPage title="Set a new password">
      <AccountForm submit="Change the password" onSubmit={reset}>
        <PasswordField isNew name="new_password" label="New password" />
      </AccountForm>
      <ul className="account-links">
        <li>
          The link does not work? <Link to="/forgot-password">Ask for another one</Link>
        </li>
      </ul>
    </CardPage>
  );
}

export function CheckMailPage() {
  const [again, setAgain] = useState(0);
  const session = useSession();
  const [query] = useSearchParams();
  return (
    <CardPage title="Check your mail">
      <Notice tone="good">{again > 0 ? 'Another mail is on its way.' : `Your account is ready${session.status === 'user' ? `, ${session.user.email}` : ''}.`}</Notice>
      <p>Follow the link in the mail that we send you: it shows that the address is yours. It can take a minute; look into the folder for spam as well.</p>
      <AccountForm key={again} tone="plain" submit="Send it again" onSubmit={() => send('POST', '/verification').then(() => setAgain(again + 1))} />
      <ul className="account-links">
        <li>
          <Link to={nextPage(query)}>Go on</Link>
        </li>
        <li>
          <Link to="/account">Your account</Link>
        </li>
      </ul>
    </CardPage>
  );
}

export function VerifyEmailPage() {
  const token = useToken();
  const session = useSession();
  const [isDone, setDone] = useState(false);
  // By a button: programs that look into mails open their links.
  async function verify(): Promise<void> {
    await send('POST', '/verification/confirm', { token });
    setDone(true);
    void refreshSession();
  }
  return (
    <CardPage title="Verify your address">
      {isDone ? <Notice tone="good">Your address is verified.</Notice> : <AccountForm submit="Verify my address" onSubmit={verify} />}
      <ul className="account-links">
        {!isDone && <li>The link works once, for a day. You can have another one sent on your account page.</li>}
        <li>{session.status === 'user' ? <Link to="/account">Your account</Link> : <Link to="/login">Log in</Link>}</li>
      </ul>
    </CardPage>
  );
}

// The token of the address, which is taken out of it: it must not stay in the history, nor reach another site by `Referer`.
function useToken(): string {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const [token] = useState(query.get('token') ?? '');
  const isThere = query.has('token');
  useEffect(() => {
    if (isThere) void navigate({ search: '' }, { replace: true });
  }, [isThere, navigate]);
  return token;
}

function BackToLogin() {
  return (
    <ul className="account-links">
      <li>
        <Link to="/login">Back to the login</Link>
      </li>
    </ul>
  );
}
