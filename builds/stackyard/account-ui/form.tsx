// A form that sends once at a time, shows what the API says about a field beside it, and moves the focus there.

import { type ComponentProps, createContext, type FormEvent, type ReactNode, use, useId, useRef, useState } from 'react';
import { AccountApiError } from './api.js';
import { Button, LabelledInput, Notice } from './components.js';

type Values = Readonly<Record<string, string>>;

interface Faults {
  readonly fields: Readonly<Record<string, string>>;
  readonly text?: string;
}

const FaultContext = createContext<Faults>({ fields: {} });

interface AccountFormProps {
  /** Rejects with `AccountApiError`. */
  readonly onSubmit: (values: Values) => Promise<void>;
  readonly submit: string;
  readonly tone?: 'main' | 'plain' | 'danger';
  /** Names of fields by the code of an error that is about them. */
  readonly about?: Values;
  readonly children?: ReactNode;
}

export function AccountForm({ onSubmit, submit, tone = 'main', about = {}, children }: AccountFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState<Faults>({ fields: {} });
  const [isBusy, setBusy] = useState(false);

  async function handle(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const values = Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, typeof value === 'string' ? value : '']));
    setBusy(true);
    setFaults({ fields: {} });
    try {
      await onSubmit(values);
    } catch (error) {
      if (!(error instanceof AccountApiError)) throw error;
      const found = toFaults(error, Object.keys(values), about);
      setFaults(found);
      const [first] = Object.keys(found.fields);
      const field = first === undefined ? undefined : form.current?.elements.namedItem(first);
      if (field instanceof HTMLElement) field.focus();
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} className="account-form" onSubmit={(event) => void handle(event)} aria-busy={isBusy}>
      {faults.text !== undefined && <Notice tone="bad">{faults.text}</Notice>}
      <FaultContext value={faults}>{children}</FaultContext>
      <Button type="submit" tone={tone} disabled={isBusy}>
        {isBusy ? 'One moment …' : submit}
      </Button>
    </form>
  );
}

function toFaults(error: AccountApiError, names: readonly string[], about: Values): Faults {
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) if (names.includes(path)) fields[path] ??= message;
  const field = about[error.code];
  if (field !== undefined) fields[field] = error.message;
  return Object.keys(fields).length > 0 ? { fields } : { fields, text: error.message };
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'name' | 'id'> {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

export function Field(props: FieldProps) {
  const id = useId();
  return <LabelledInput required {...props} id={id} fault={use(FaultContext).fields[props.name]} />;
}

/** A password that the browser or its password manager knows, or a new one. */
export function PasswordField({ isNew = false, name = 'password', label = 'Password' }: { readonly isNew?: boolean; readonly name?: string; readonly label?: string }) {
  if (!isNew) return <Field name={name} label={label} type="password" autoComplete="current-password" />;
  return <Field name={name} label={label} type="password" autoComplete="new-password" minLength={8} maxLength={200} hint="At least 8 characters. Long is better than complicated." />;
}

export function EmailField(props: { readonly defaultValue?: string }) {
  return <Field {...props} name="email" label="E-mail" type="email" autoComplete="username" maxLength={254} />;
}
