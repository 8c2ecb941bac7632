// What the routes read of a request. Each web framework has a file that makes it, so that the routes know none.

export interface AccountRequest {
  /** In upper case. */
  readonly method: string;
  /** The client, in the form of `toNetwork`. */
  readonly address: string;
  /** The values of all `Authorization` headers: more than one is refused. */
  readonly authorization: readonly string[];
  /** The header `User-Agent` as it was sent. A stranger chooses it. */
  readonly userAgent: string | undefined;
  /** The `X-Request-Id` that the host has given this request. */
  readonly requestId: string | undefined;
  /** The segment in place of `:id` in the path of the route, not decoded; empty where the path has no `:id`. */
  readonly pathId: string;
  /** The JSON value in the body. Throws `AccountError`: `invalid_json`, or `payload_too_large` above `maxBytes`. */
  readJson(maxBytes: number): Promise<unknown>;
}
