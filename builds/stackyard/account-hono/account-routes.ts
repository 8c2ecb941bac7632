// The paths of the account routes and their handlers, for every web framework.

import { changePassword } from './change-password.js';
import type { AccountDependencies } from './dependencies.js';
import { login } from './login.js';
import { logout, logoutAll } from './logout.js';
import { deleteMe, showMe } from './me.js';
import { register } from './register.js';
import { type AccountRoute, accountRoute } from './route.js';
import { endSession, listSessions } from './session-routes.js';

/** `/me` and the others; `/sessions` only where sessions are stored. */
export function accountRoutes(deps: AccountDependencies): readonly AccountRoute[] {
  return [
    // First, because it is requested far more often than the others.
    accountRoute('/me', {
      GET: (request) => showMe(deps, request),
      DELETE: (request) => deleteMe(deps, request),
    }),
    accountRoute('/register', { POST: (request) => register(deps, request) }),
    accountRoute('/login', { POST: (request) => login(deps, request) }),
    accountRoute('/logout', { POST: (request) => logout(deps, request) }),
    accountRoute('/logout-all', { POST: (request) => logoutAll(deps, request) }),
    accountRoute('/password', { POST: (request) => changePassword(deps, request) }),
    ...sessionRoutes(deps),
  ];
}

function sessionRoutes(deps: AccountDependencies): readonly AccountRoute[] {
  const { sessions } = deps;
  if (!sessions) return [];
  return [
    accountRoute('/sessions', { GET: (request) => listSessions(deps, sessions, request) }),
    accountRoute('/sessions/:id', { DELETE: (request) => endSession(deps, sessions, request) }),
  ];
}
