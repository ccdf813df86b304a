import type { ServerResponse } from 'node:http'

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
