// The pages. A route is an object of React Router: a path with an element, or a group with children.

import type { RouteObject } from 'react-router';
import { HomePage } from './pages/home.js';

export const routes: RouteObject[] = [
  // One entry for each page, and for each installed module.
  { index: true, element: <HomePage /> },
];
