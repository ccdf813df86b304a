import type { Route } from './serve.ts'

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
