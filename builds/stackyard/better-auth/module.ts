// The accounts as a module of a foundation: settings, start, routes, readiness and stop.

import { type AuthLog, currentAuth, forgetAuth, openAuth } from './instance.js';
import { answerRequest, nodeRoutes } from './routes.js';
import { checkAuthSettings } from './settings.js';

/** The path of the routes: `basePath` of the options. */
export const authPath = (): string => currentAuth().options.basePath ?? '/api/auth';

/** A `Module` of src/module.ts in a foundation. */
export const authModule = {
  name: 'auth',
  checkSettings: checkAuthSettings,
  /** Checks the options and creates the tables that are missing. */
  start: async ({ log }: { readonly log: AuthLog }): Promise<void> => void (await openAuth(log)),
  checks: { auth: () => openAuth() },
  stop: forgetAuth,
  get routes() {
    const fetch = (request: Request, { address }: { address?: string }) => answerRequest(request, address);
    return [{ prefix: authPath(), node: nodeRoutes, fetch }];
  },
};
