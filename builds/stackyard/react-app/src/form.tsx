// A form: sends once at a time, shows what the API says about its fields, and moves the focus there. The API checks
// every request; `required`, `minLength` and `type` of the browser come before it.

import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  createContext,
  use,
  useId,
  useRef,
  useState,
} from 'react';
import { ApiError } from './api/client.js';

interface Faults {
  readonly fields: ReadonlyMap<string, string>;
  /** What is about no field. */
  readonly text: string | undefined;
}

const NONE: Faults = { fields: new Map(), text: undefined };
const FormContext = createContext<Faults>(NONE);

interface FormProps {
  /** Rejects with `ApiError` for what shall be shown. */
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<void>;
  readonly submit: string;
  readonly children: ReactNode;
}

export function Form({ onSubmit, submit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState(NONE);
  const [isBusy, setBusy] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
    setBusy(true);
    try {
      await onSubmit(values);
      setFaults(NONE);
    } catch (error) {
      const found = toFaults(error, new Set(Object.keys(values)));
      setFaults(found);
      const [first] = found.fields.keys();
      const field = first === undefined ? null : form.current?.elements.namedItem(first);
      if (field instanceof HTMLElement) field.focus();
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} onSubmit={(event) => void send(event)} aria-busy={isBusy}>
      <FormContext value={faults}>{children}</FormContext>
      {faults.text !== undefined && (
        <p role="alert" className="alert">
          {faults.text}
        </p>
      )}
      <button type="submit" className="button" disabled={isBusy}>
        {submit}
      </button>
    </form>
  );
}

interface FieldProps extends ComponentProps<'input'> {
  readonly name: string;
  readonly label: string;
}

/** A labelled input of a form, with what the API says about it. */
export function Field({ name, label, ...input }: FieldProps) {
  const id = useId();
  const fault = use(FormContext).fields.get(name);
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        name={name}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
      />
      {fault !== undefined && (
        <span id={`${id}-fault`} className="fault" role="alert">
          {fault}
        </span>
      )}
    </p>
  );
}

function toFaults(error: unknown, names: ReadonlySet<string>): Faults {
  if (!(error instanceof ApiError)) {
    if (!(error instanceof TypeError)) throw error;
    return { fields: new Map(), text: 'The server cannot be reached. Try again.' };
  }
  // The first of each field; later ones often follow from it.
  const fields = new Map(
    error.issues
      .filter(({ path }) => names.has(path))
      .map(({ path, message }) => [path, message] as const)
      .reverse(),
  );
  return { fields, text: fields.size > 0 ? undefined : error.message };
}
