/** The kinds of projects in which our builds are proved: what a project has before, and how its own people test it. */
import { EXPRESS_4_JEST, EXPRESS_5_ESM } from './express-projects.ts';
import type { ProjectKind } from './project-kind.ts';

const VITE = 'create-vite@8';

/** All kinds, in the order of the page. */
export const PROJECT_KINDS: readonly ProjectKind[] = [
  EXPRESS_4_JEST,
  EXPRESS_5_ESM,
  ...['vanilla-ts', 'react-ts'].map((template): ProjectKind => ({
    name: `create-vite, ${template}`,
    builds: ['stackyard/sqlite'],
    generator: [VITE, '--template', template, '--no-interactive'],
    files: {},
    typeCheck: 'npm run build',
  })),
];
