import type { ServerResponse } from 'node:http'
import type { Route } from './serve.ts'

/**
 * Lets pages of any origin read the response, whether it succeeds or not.
 *
 * Browsers send no cookies with such a request, so a page sees only what it could also ask from its own server; a credential
 * has to be in its hands already. Source: Fetch Standard "CORS protocol".
 */
export function allowAnyOrigin(res: ServerResponse): void {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', '*')
}

/** The wildcard does not include `Authorization`. */
const ALLOWED_HEADERS = '*, Authorization'

/**
 * Handles the request by which a browser asks whether a page may read a public document with headers of its own.
 *
 * @param methods All methods of the path; pages of other origins may only read.
 */
export function createPreflight(path: string, methods: ReadonlySet<string>): Route {
  const headers = {
    Allow: [...methods].join(', '),
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': '86400',
  }
  return {
    method: 'OPTIONS',
    path,
    access: 'anyone',
    budget: 'public',
    isPublicDocument: true,
    handler: () => ({ status: 204, body: null, headers }),
  }
}
