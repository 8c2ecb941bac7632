// The page /account: address, organizations, password, second factor, passkeys, and the end of the account.

import { use, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { renderSVG } from 'uqr';
import { Form } from '../form.js';
import { authClient, FeaturesContext, result, useData, useSession, type Values } from './client.js';
import { Action, Card, CodeField, Entry, NewPasswordField, Notice, PasswordField } from './components.js';
import { OrganizationsPanel } from './organizations.js';
import { addPasskey, deletePasskey, hasPasskeys, listPasskeys } from './passkeys.js';

type Session = typeof authClient.$Infer.Session;

export function AccountPage() {
  const { data } = useSession();
  const { mail, twoFactor, passkey, organization, deleteUser } = use(FeaturesContext);
  if (!data) return null;
  return (
    <div className="auth-page">
      <title>Your account</title>
      <h1>Your account</h1>
      <p>{data.user.email}</p>
      {mail && <Verification {...data} />}
      {organization && <OrganizationsPanel active={data.session.activeOrganizationId ?? undefined} />}
      <PasswordPanel {...data} />
      {twoFactor && <SecondFactorPanel isOn={data.user.twoFactorEnabled === true} />}
      {passkey && hasPasskeys() && <PasskeysPanel />}
      {deleteUser && <DeletePanel />}
    </div>
  );
}

function Verification({ user: { email, emailVerified } }: Session) {
  const [isSent, setSent] = useState(false);
  if (emailVerified) return <Notice>Your address is verified.</Notice>;
  if (isSent) return <Notice>A mail is on its way. Follow its link.</Notice>;
  const send = () =>
    result(authClient.sendVerificationEmail({ email, callbackURL: '/verify-email' })).then(() => setSent(true));
  return (
    <Card title="Verify your address">
      <Action onAct={send}>Send a mail with a link</Action>
    </Card>
  );
}

function PasswordPanel({ user: { email } }: Session) {
  const [count, setCount] = useState(0);
  async function change({ password: currentPassword = '', newPassword = '' }: Values): Promise<void> {
    await result(authClient.changePassword({ currentPassword, newPassword, revokeOtherSessions: true }));
    setCount(count + 1);
  }
  return (
    <Card title="Password">
      {count > 0 && <Notice>Your password is changed, and all other sessions are ended.</Notice>}
      <Form key={count} submit="Change the password" onSubmit={change}>
        {/* For password managers. */}
        <input hidden readOnly autoComplete="username" value={email} />
        <PasswordField label="Current password" />
        <NewPasswordField />
      </Form>
      <Action onAct={() => result(authClient.revokeSessions())}>Log out everywhere</Action>
    </Card>
  );
}

function SecondFactorPanel({ isOn }: { readonly isOn: boolean }) {
  const [setup, setSetup] = useState<{ readonly totpURI: string; readonly backupCodes: readonly string[] }>();
  async function turn({ password = '' }: Values): Promise<void> {
    if (isOn) await result(authClient.twoFactor.disable({ password }));
    const made = isOn ? undefined : await result(authClient.twoFactor.enable({ password }));
    setSetup(made && 'totpURI' in made ? made : undefined);
  }
  const confirm = ({ code = '' }: Values) => result(authClient.twoFactor.verifyTotp({ code })).then(() => {});
  if (!isOn && setup) {
    return (
      <Card title="Second factor">
        <img alt="QR code for the app" src={`data:image/svg+xml,${encodeURIComponent(renderSVG(setup.totpURI))}`} />
        <code>{new URL(setup.totpURI).searchParams.get('secret')}</code>
        <Form submit="Turn it on" onSubmit={confirm}>
          <CodeField />
        </Form>
      </Card>
    );
  }
  return (
    <Card title="Second factor">
      <p>{isOn ? 'Each login needs a code of your app.' : 'A code of an app on your phone, besides the password.'}</p>
      {isOn && setup && (
        <Notice>
          Keep these backup codes where you find them without your phone: <code>{setup.backupCodes.join('\n')}</code>
        </Notice>
      )}
      <Form key={String(isOn)} submit={isOn ? 'Turn it off' : 'Set it up'} onSubmit={turn}>
        <PasswordField />
      </Form>
    </Card>
  );
}

function PasskeysPanel() {
  const { data = [], reload } = useData(listPasskeys);
  return (
    <Card title="Passkeys">
      <p>Log in with the lock of your device in place of a password.</p>
      <ul>
        {data.map(({ id, name, createdAt }) => (
          <Entry key={id} name={name ?? 'Passkey'} about={`since ${createdAt.toLocaleString()}`}>
            <Action onAct={() => deletePasskey(id).then(reload)}>Delete</Action>
          </Entry>
        ))}
      </ul>
      <Action onAct={() => addPasskey().then(reload)}>Add a passkey</Action>
    </Card>
  );
}

function DeletePanel() {
  const remove = ({ password = '' }: Values) => result(authClient.deleteUser({ password })).then(() => {});
  return (
    <Card title="Delete the account">
      <p>Your account and what belongs to it are deleted at once, and cannot be restored.</p>
      <Form submit="Delete my account" onSubmit={remove}>
        <PasswordField />
      </Form>
    </Card>
  );
}

/** For the header of all pages: the account, or the login. */
export function AccountNavigation() {
  const { data, isPending } = useSession();
  const navigate = useNavigate();
  const links = data ? { '/account': data.user.email } : { '/login': 'Log in', '/register': 'Register' };
  const logOut = () => authClient.signOut().then(() => navigate('/'));
  if (isPending) return null;
  return (
    <>
      {Object.entries(links).map(([path, text]) => <Link key={path} to={path}>{text}</Link>)}
      {data && <button type="button" className="auth-link" onClick={() => void logOut()}>Log out</button>}
    </>
  );
}
