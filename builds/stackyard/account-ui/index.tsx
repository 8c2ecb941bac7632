// The public names of this folder: import from here. The pages of accounts, for a list of routes of React Router.

import { Outlet, type RouteObject } from 'react-router';
import { LoginPage, RegisterPage, RequireSession } from './login.js';
import { CheckMailPage, ForgotPasswordPage, ResetPasswordPage, VerifyEmailPage } from './recovery.js';
import { AccountNavigation, AccountPage } from './settings.js';
import './styles.css';

/** /login, /register, /account and what comes by mail. `handle.header` is for the header of all pages. */
export const accountPages: RouteObject = {
  element: <Outlet />,
  handle: { header: <AccountNavigation /> },
  children: [
    { path: '/login', element: <LoginPage /> },
    { path: '/register', element: <RegisterPage /> },
    { path: '/forgot-password', element: <ForgotPasswordPage /> },
    { path: '/reset-password', element: <ResetPasswordPage /> },
    { path: '/check-mail', element: <CheckMailPage /> },
    { path: '/verify-email', element: <VerifyEmailPage /> },
    {
      path: '/account',
      element: (
        <RequireSession>
          <AccountPage />
        </RequireSession>
      ),
    },
  ],
};

export { AccountApiError, type User } from './api.js';
export { RequireSession } from './login.js';
export { logOut, refreshSession, type Session, useFeature, useSession } from './session.js';
export { AccountNavigation } from './settings.js';
