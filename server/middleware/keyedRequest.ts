import type { IncomingMessage } from 'node:http'
import { sha256Hex } from '@svc/core/hash.ts'
import { validationError } from '../errors.ts'
import type { KeyedRequest } from '../services/idempotency/answerOnce.ts'
import type { Call } from './call.ts'

/** Printable ASCII. */
const KEY = /^[!-~]{1,255}$/

/**
 * The request as `answerOnce` wants it, when it names an Idempotency-Key; else null.
 *
 * A key belongs to whoever used it: the account, the signing key, or the address that a caller without a credential has.
 *
 * @throws ApiError VALIDATION_ERROR for a malformed key.
 * Source: api.md "Envelope", Idempotency-Key.
 */
export async function keyedRequest(
  req: IncomingMessage,
  call: Call,
  readRaw: () => Promise<Buffer>,
): Promise<KeyedRequest | null> {
  const key = call.header('idempotency-key')
  if (key === undefined) return null
  if (!KEY.test(key)) {
    const message = 'expected 1 to 255 printable characters without spaces'
    throw validationError([{ pointer: '', code: 'invalid_header', message: `Idempotency-Key: ${message}` }])
  }
  const fingerprint = sha256Hex([...askedBeside(req, call), sha256Hex(await readRaw())].join('\n'))
  return { caller: callerNameOf(call), key, fingerprint, now: call.now }
}

/** What chooses beside the body what is done, and for which agent. */
function askedBeside(req: IncomingMessage, { header, principal }: Pick<Call, 'header' | 'principal'>) {
  const credential = header('x-svc-credential')
  const signedBy = principal.kind === 'apiKey' ? principal.signedBy : undefined
  return [
    ...[req.method, req.url, header('x-svc-id') ?? ''],
    ...(credential === undefined ? [] : [`credential ${credential}`]),
    ...(signedBy === undefined ? [] : [`signed by ${signedBy}`]),
  ]
}

function callerNameOf({ principal, ip }: Pick<Call, 'principal' | 'ip'>): string {
  switch (principal.kind) {
    case 'apiKey':
      return `key:${principal.keyId}`
    case 'session':
      return `user:${principal.userId}`
    case 'signature':
      return `address:${principal.address.toLowerCase()}`
    case 'agent':
      return `agent:${principal.svcId}`
    case 'nobody':
      return `ip:${ip}`
  }
}
