import { createHash, timingSafeEqual } from 'node:crypto'
import { apiError } from '../errors.ts'

/**
 * Requires a configured token in the `Authorization` header.
 *
 * @throws ApiError UNAUTHENTICATED.
 */
export function requireBearer(token: string, header: string | undefined): void {
  const [, sent = ''] = /^bearer +(\S+) *$/i.exec(header ?? '') ?? []
  // Digests have one length, so the comparison shows nothing about that of the token.
  if (timingSafeEqual(digest(sent), digest(token))) return
  const message = sent === '' ? 'Expected: `Authorization: Bearer` with the token.' : 'The token is wrong.'
  throw apiError('UNAUTHENTICATED', { message })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
