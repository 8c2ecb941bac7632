import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from './api/client.js';
import { Field, Form } from './form.js';

afterEach(cleanup);

function show(onSubmit: (values: Readonly<Record<string, string>>) => Promise<void>) {
  render(
    <Form onSubmit={onSubmit} submit="Save">
      <Field name="title" label="Title" />
    </Form>,
  );
  const input = screen.getByLabelText<HTMLInputElement>('Title');
  fireEvent.change(input, { target: { value: 'a' } });
  fireEvent.submit(input.form!);
  return input;
}

test('sends the values, once at a time', async () => {
  const sent: object[] = [];
  let finish = () => {};
  const input = show((values) => {
    sent.push(values);
    return new Promise((resolve) => (finish = resolve));
  });
  fireEvent.submit(input.form!);
  expect(sent).toEqual([{ title: 'a' }]);
  finish();
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(false));
});

test('shows what the API says beside the field, and moves the focus there', async () => {
  const input = show(() =>
    Promise.reject(new ApiError(400, { error: { issues: [{ path: 'title', message: 'Too short' }] } })),
  );
  await waitFor(() => expect(document.activeElement).toBe(input));
  expect(screen.getByRole('alert').textContent).toBe('Too short');
  expect(input.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
});

test('shows other errors below the fields', async () => {
  show(() => Promise.reject(new ApiError(409, { error: { code: 'taken', message: 'The title is taken' } })));
  expect((await screen.findByRole('alert')).textContent).toBe('The title is taken');
});
