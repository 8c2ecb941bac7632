// What the pages are made of, beside the form of the application. Yours to change: an update merges.

import type { ReactNode } from 'react';
import { Field, Form } from '../form.js';

/** A narrow page, such as the login, or a part of the account page. */
export function Card({ title, isPage = false, children }: { title: string; isPage?: boolean; children: ReactNode }) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <section className={isPage ? 'auth-card auth-narrow' : 'auth-card'}>
      {isPage && <title>{title}</title>}
      <Heading>{title}</Heading>
      {children}
    </section>
  );
}

/** A message that screen readers say as soon as it appears. */
export function Notice({ isBad = false, children }: { isBad?: boolean; children: ReactNode }) {
  return (
    <p role={isBad ? 'alert' : 'status'} className={isBad ? 'auth-notice auth-bad' : 'auth-notice'}>
      {children}
    </p>
  );
}

/** An entry of a list: a name, what is known of it, and what can be done. */
export function Entry({ name, about, children }: { name: string; about: string; children: ReactNode }) {
  return (
    <li className="auth-entry">
      <span>
        {name} <small>{about}</small>
      </span>
      {children}
    </li>
  );
}

/** A button that says what went wrong. */
export function Action({ onAct, children }: { onAct: () => Promise<unknown>; children: string }) {
  return (
    <div className="auth-action">
      <Form submit={children} onSubmit={() => onAct().then(() => {})}>{null}</Form>
    </div>
  );
}

export function EmailField() {
  return <Field name="email" label="E-mail" type="email" autoComplete="username" required maxLength={254} />;
}

export function PasswordField({ label = 'Password' }: { label?: string }) {
  return <Field name="password" label={label} type="password" autoComplete="current-password" required />;
}

export function NewPasswordField({ label = 'New password' }: { label?: string }) {
  const limits = { minLength: 8, maxLength: 128, placeholder: 'At least 8 characters', required: true };
  return <Field name="newPassword" label={label} type="password" autoComplete="new-password" {...limits} />;
}

export function CodeField() {
  const shape = { inputMode: 'numeric', pattern: '[0-9]{6}', title: 'Six digits' } as const;
  return <Field name="code" label="Code of the app" autoComplete="one-time-code" required {...shape} />;
}
