import { expect, test } from 'vitest';
import { renderToString } from 'react-dom/server';
import App from './App';

test('shows the count', () => {
  expect(renderToString(<App />)).toContain('Count is');
});
