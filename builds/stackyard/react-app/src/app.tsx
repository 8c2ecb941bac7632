// The frame of all pages: header, navigation, and what is shown for unknown paths and failures.

import { Fragment, type ReactNode } from 'react';
import { isRouteErrorResponse, Link, Outlet, type RouteObject, ScrollRestoration, useRouteError } from 'react-router';
import { routes } from './routes.js';

/** `handle` of a route: what its module shows in the header of every page. */
interface Handle {
  readonly header?: ReactNode;
}

export const appRoutes: RouteObject[] = [
  {
    path: '/',
    element: <Layout />,
    errorElement: <Layout page={<ErrorPage />} />,
    children: [...routes, { path: '*', element: <NotFoundPage /> }],
  },
];

function Layout({ page }: { readonly page?: ReactNode }) {
  const headers = routes.map(({ handle }) => (handle as Handle | undefined)?.header);
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="site-header">
        <Link to="/" className="brand">
          App
        </Link>
        <nav aria-label="Main">
          {headers.map((header, index) => (
            <Fragment key={index}>{header}</Fragment>
          ))}
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {page ?? <Outlet />}
      </main>
      {!page && <ScrollRestoration />}
    </>
  );
}

function NotFoundPage() {
  return (
    <>
      <title>Page not found</title>
      <h1>Page not found</h1>
      <p>
        There is no page at this address. <Link to="/">Go to the start page</Link>
      </p>
    </>
  );
}

function ErrorPage() {
  const error = useRouteError();
  // Errors that nothing caught are in the console as well.
  const text = isRouteErrorResponse(error)
    ? `${error.status} ${error.statusText}`
    : 'Something went wrong in this page.';
  return (
    <>
      <title>Error</title>
      <h1>Error</h1>
      <p role="alert">{text}</p>
      <p>
        <a href="/">Start again</a>
      </p>
    </>
  );
}
