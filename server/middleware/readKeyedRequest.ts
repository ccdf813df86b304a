import type { IncomingMessage } from 'node:http'
import { sha256Hex } from '@svc/core/hash.ts'
import { isDeeperThan } from '@svc/core/json.ts'
import { validationError } from '../errors.ts'
import type { KeyedRequest } from '../services/idempotency/answerOnce.ts'
import type { Call } from './call.ts'

/** What a route states about its repetitions. */
export type Repetition = {
  /** Members of the body that may differ in a repetition. */
  repeatableApartFrom?: readonly string[]
  /** For decisions: the state on which a stored response depends (`KeyedRequest`). */
  stamp?: (call: Call) => Promise<string> | string
  /**
   * Counts what the stamp costs beyond the call itself against the budgets, once per request, however often it is stamped.
   *
   * @throws ApiError RATE_LIMITED.
   */
  chargeStamp?: ((call: Call) => Promise<void>) | undefined
}

const DEPTH_MAX = 100
/** Printable ASCII. */
const KEY = /^[!-~]{1,255}$/

/**
 * Reads the Idempotency-Key of a request in the form that `answerOnce` needs; null without one.
 *
 * A key belongs to its user: the account, the signing key, or the address of a caller without a credential.
 *
 * @throws ApiError VALIDATION_ERROR for a malformed key, RATE_LIMITED if the budgets have no room for the stamp.
 */
export async function readKeyedRequest(
  req: IncomingMessage,
  call: Call,
  readRaw: () => Promise<Buffer>,
  { repeatableApartFrom = [], stamp, chargeStamp }: Repetition,
): Promise<KeyedRequest | null> {
  const key = call.header('idempotency-key')
  if (key === undefined) return null
  if (!KEY.test(key)) {
    const message = 'expected 1 to 255 printable characters without spaces'
    throw validationError([{ pointer: '', code: 'invalid_header', message: `Idempotency-Key: ${message}` }])
  }
  await chargeStamp?.(call)
  const body = omitFromBody(repeatableApartFrom, call.body) ?? (await readRaw())
  const fingerprint = sha256Hex([...askedBeside(req, call), sha256Hex(body)].join('\n'))
  const keyed = { caller: callerNameOf(call), key, fingerprint, now: call.now }
  return stamp === undefined ? keyed : { ...keyed, stamp: () => stamp(call) }
}

/** The body without some members, as text; undefined to use the body as received. */
function omitFromBody(names: readonly string[], body: unknown): string | undefined {
  if (names.length === 0 || typeof body !== 'object' || body === null) return undefined
  // No operation accepts a body nested this deep, and serialising it could overflow the stack.
  if (isDeeperThan(body, DEPTH_MAX)) return undefined
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name))))
}

/** Headers that, besides the body, determine what is done and for which agent. */
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
