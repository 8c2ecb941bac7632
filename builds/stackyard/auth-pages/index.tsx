// The pages of accounts, for the list of routes.

import { Navigate, Outlet, type RouteObject } from 'react-router';
import { AccountNavigation, AccountPage } from './account.js';
import { FeaturesContext, readFeatures, useData } from './client.js';
import { LoginPage, RegisterPage, RequireSession } from './login.js';
import { ForgotPasswordPage, ResetPasswordPage, VerifyEmailPage } from './mail.js';
import './styles.css';

function Pages() {
  const { data = {} } = useData(readFeatures);
  return (
    <FeaturesContext value={data}>
      <Outlet />
    </FeaturesContext>
  );
}

/** `handle.header` is for the header of all pages. */
export const authPages: RouteObject = {
  element: <Pages />,
  handle: { header: <AccountNavigation /> },
  children: [
    { path: '/login', element: <LoginPage /> },
    { path: '/register', element: <RegisterPage /> },
    { path: '/forgot-password', element: <ForgotPasswordPage /> },
    { path: '/reset-password', element: <ResetPasswordPage /> },
    { path: '/verify-email', element: <VerifyEmailPage /> },
    { path: '/accept-invitation/:id', element: <Navigate to="/account" replace /> },
    { path: '/account', element: <RequireSession><AccountPage /></RequireSession> },
  ],
};

export { authClient, useSession } from './client.js';
export { RequireSession } from './login.js';
