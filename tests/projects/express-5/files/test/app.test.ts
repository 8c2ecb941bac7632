import { expect, test } from 'vitest';
import { app } from '../src/app.js';
import { ask } from './request.js';

test('greets by name', async () => {
  expect(await ask(app, '/hello/you')).toEqual([200, '{"hello":"you"}']);
});
