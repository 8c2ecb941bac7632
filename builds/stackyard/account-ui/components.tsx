// What the pages are made of. This file is for your changes: to use the components of your project, such as those of shadcn/ui, return them
// here. An update of this build keeps your changes. For example:
//
//   import { Button as ProjectButton } from '../components/ui/button';
//   export function Button({ tone, type = 'button', ...props }: ButtonProps) {
//     return <ProjectButton type={type} variant={tone === 'plain' ? 'outline' : tone === 'danger' ? 'destructive' : 'default'} {...props} />;
//   }

import type { ComponentProps, ReactNode } from 'react';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly tone?: 'main' | 'plain' | 'danger';
}

export function Button({ tone = 'main', type = 'button', ...props }: ButtonProps) {
  // oxlint-disable-next-line react/button-has-type -- it has one
  return <button {...props} type={type} className={`account-button account-button-${tone}`} />;
}

/** A link that looks like a plain button. */
export function ButtonLink(props: Readonly<ComponentProps<'a'>>) {
  return (
    <a {...props} className="account-button account-button-plain">
      {props.children}
    </a>
  );
}

interface LabelledInputProps extends ComponentProps<'input'> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
}

export function LabelledInput({ id, label, hint, fault, ...input }: LabelledInputProps) {
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div className="account-field">
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} aria-invalid={fault !== undefined} aria-describedby={described === '' ? undefined : described} />
      {hint && (
        <p id={`${id}-hint`} className="account-hint">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className="account-fault">
          {fault}
        </p>
      )}
    </div>
  );
}

interface NoticeProps {
  readonly tone: 'good' | 'bad' | 'plain';
  readonly children: ReactNode;
}

/** A message that screen readers say as soon as it appears. */
export function Notice({ tone, children }: NoticeProps) {
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className={`account-notice account-notice-${tone}`}>
      {children}
    </div>
  );
}

/** A page with one narrow card, such as the login. */
export function CardPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="account-ui account-card-page">
      <title>{title}</title>
      <section className="account-card">
        <h1>{title}</h1>
        {children}
      </section>
    </div>
  );
}

/** A part of the account page. */
export function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="account-card account-panel">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Divider({ children }: { readonly children: ReactNode }) {
  return <p className="account-divider">{children}</p>;
}
