/** The kinds of projects in which our builds are proved: what a project has before, and how its own people test it. */
import { DENO } from './deno-project.ts';
import { EXPRESS_4_JEST, EXPRESS_5_ESM } from './express-projects.ts';
import { HONO } from './hono-project.ts';
import { NEXT } from './next-project.ts';
import type { ProjectKind } from './project-kind.ts';
import { PYTHON_PROJECTS } from './python-projects.ts';
import { VITE_PROJECTS } from './vite-projects.ts';
import { PNPM_WORKSPACE } from './workspace-project.ts';

/** All kinds, in the order of the page. */
export const PROJECT_KINDS: readonly ProjectKind[] = [
  EXPRESS_4_JEST,
  EXPRESS_5_ESM,
  HONO,
  NEXT,
  ...VITE_PROJECTS,
  PNPM_WORKSPACE,
  DENO,
  ...PYTHON_PROJECTS,
];
