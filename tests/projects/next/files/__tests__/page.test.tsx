import { expect, test } from 'vitest';
import { render, screen } from '@testing-library/react';
import Page from '../src/app/page';

test('shows the greeting', () => {
  render(<Page />);
  expect(screen.getByText('Hello world!')).toBeDefined();
});
