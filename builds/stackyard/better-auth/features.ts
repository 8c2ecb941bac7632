// GET /api/auth/features: what src/auth.ts has switched on, for pages of accounts, which show nothing else.

import { openAuth } from './instance.js';

export async function answerFeatures(): Promise<Response> {
  const { options, hasPlugin } = await (await openAuth()).$context;
  return Response.json({
    mail: options.emailAndPassword?.sendResetPassword !== undefined,
    twoFactor: hasPlugin('two-factor'),
    passkey: hasPlugin('passkey'),
    organization: hasPlugin('organization'),
    deleteUser: options.user?.deleteUser?.enabled === true,
    providers: Object.keys(options.socialProviders ?? {}),
  });
}
