// The paths of the recovery routes and their handlers, for every web framework.

import { confirmVerification, requestVerification, showVerification } from './email-verification.js';
import { confirmReset, requestReset } from './password-reset.js';
import type { RecoveryDependencies } from './recovery-dependencies.js';
import { type AccountRoute, accountRoute } from './route.js';

export function recoveryRoutes(deps: RecoveryDependencies): readonly AccountRoute[] {
  return [
    accountRoute('/password-reset', { POST: (request) => requestReset(deps, request) }),
    accountRoute('/password-reset/confirm', { POST: (request) => confirmReset(deps, request) }),
    accountRoute('/verification', {
      GET: (request) => showVerification(deps, request),
      POST: (request) => requestVerification(deps, request),
    }),
    accountRoute('/verification/confirm', { POST: (request) => confirmVerification(deps, request) }),
  ];
}
