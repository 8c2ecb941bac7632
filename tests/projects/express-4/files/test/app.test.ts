import { app } from '../src/app';
import { ask } from './request';

test('greets by name', async () => {
  expect(await ask(app, '/hello/you')).toEqual([200, '{"hello":"you"}']);
});
