import type { IncomingMessage } from 'node:http'
import { API_KEY_PREFIX } from '@svc/core/ids/secrets.ts'
import { apiError } from '../errors.ts'
import type { SignedRequest } from '../services/accounts/authenticateSignature.ts'
import type { ApiKeyPrincipal, Principal, SignaturePrincipal } from '../services/principal.ts'
import { requireElevation } from '../services/requireElevation.ts'
import { ACCESS, type Access } from './authorise.ts'
import {
  explainMissingCredential,
  explainUnknownCredential,
  explainUnreadHeader,
  explainWrongKind,
} from './explainCredential.ts'
import { namesAgent } from './namesAgent.ts'

/**
 * Turns credentials into principals; each returns null for a credential that is nobody’s.
 *
 * One that has expired, was revoked or is suspended throws an ApiError that says so.
 */
export type Authenticators = {
  apiKey(key: string): Promise<Principal | null> | Principal | null
  /** `elevation` is the token of header `X-Svc-Elevation`. */
  accessToken(token: string, elevation: string | undefined, now: number): Promise<Principal | null>
  agentToken(token: string, now: number): Promise<Principal | null>
  /** @throws ApiError invalid_signature, signature_expired, nonce_reused. */
  signature(request: SignedRequest, now: number): Promise<SignaturePrincipal>
}

/** Identifiers of agents begin with it. */
const AGENT_PREFIX = 'SVC-'
const NOBODY: Principal = { kind: 'nobody' }
const UNNAMED = { message: 'X-Svc-Address: expected beside an API key' }
const UNADDRESSED = { message: 'X-Svc-Service: expected beside an API key, and signed' }
/** Scheme names are case-insensitive. Source: RFC 9110 §11.1. */
const BEARER_SCHEME = /^bearer +(\S.*)$/i

/**
 * Authenticates the caller, and refuses those whom the route’s row of `ACCESS` refuses.
 *
 * If a request with an API key is also signed, the signature identifies the agent’s key and must be valid.
 *
 * @throws ApiError UNAUTHENTICATED, which says what is wrong with the credential; agent_identity_not_a_credential,
 * SESSION_REQUIRED, FORBIDDEN for callers who are not operators, ELEVATION_REQUIRED, and the errors of signatures.
 * Source: `Spec: Authentication` 1–3, 6, 7.
 */
export async function authenticate(
  authenticators: Authenticators,
  access: Access,
  req: IncomingMessage,
  now: number,
  readRaw: () => Promise<Buffer>,
): Promise<Principal> {
  if (access === 'anyone') return NOBODY
  const principal = await principalOf(authenticators, access, req, now, readRaw)
  const verdict = ACCESS[access][principal.kind]
  if (verdict === 'allow') return principal
  if (verdict === 'operator' || verdict === 'elevatedOperator') requireOperator(principal)
  if (verdict === 'elevated' || verdict === 'elevatedOperator') requireElevation(principal)
  if (verdict === 'operator' || verdict === 'elevated' || verdict === 'elevatedOperator') return principal
  if (principal.kind === 'nobody' && (await namesAgent(req, readRaw))) {
    throw apiError('agent_identity_not_a_credential')
  }
  if (verdict !== 'UNAUTHENTICATED') throw apiError(verdict)
  const { kind } = principal
  const message = kind === 'nobody' ? explainMissingCredential(access) : explainWrongKind(kind, access)
  throw apiError(verdict, { message })
}

/**
 * Authenticates a caller again whose request has waited, because the credential may have been revoked meanwhile.
 *
 * A signature counts once and covers a body that is complete, so it is not verified again; an API key beside it is looked
 * up.
 *
 * @throws ApiError as `authenticate`.
 */
export async function authenticateAgain(
  authenticators: Authenticators,
  access: Access,
  req: IncomingMessage,
  now: number,
  earlier: Principal,
): Promise<Principal> {
  if (earlier.kind === 'signature') return earlier
  if (earlier.kind === 'apiKey' && earlier.signedBy !== undefined) {
    const token = BEARER_SCHEME.exec(req.headers.authorization ?? '')?.[1] ?? ''
    return { ...(await currentKey(authenticators, token)), signedBy: earlier.signedBy }
  }
  return authenticate(authenticators, access, req, now, async () => Buffer.alloc(0))
}

/** Checked before elevation, so that no passkey is requested in vain. */
function requireOperator(principal: Principal): void {
  if (principal.kind !== 'session' || principal.role !== 'operator') throw apiError('FORBIDDEN')
}

async function principalOf(
  authenticators: Authenticators,
  access: Access,
  req: IncomingMessage,
  now: number,
  readRaw: () => Promise<Uint8Array>,
): Promise<Principal> {
  const bearer = req.headers.authorization
  const isSigned = ACCESS[access].signature === 'allow' && typeof req.headers['x-svc-signature'] === 'string'
  if (bearer !== undefined) {
    const token = BEARER_SCHEME.exec(bearer)?.[1]
    if (token === undefined) {
      throw apiError('UNAUTHENTICATED', { message: explainUnreadHeader(bearer, access) })
    }
    if (token.startsWith(AGENT_PREFIX)) throw apiError('agent_identity_not_a_credential')
    const principal = token.startsWith(API_KEY_PREFIX)
      ? await authenticators.apiKey(token)
      : ((await authenticators.accessToken(token, single(req.headers['x-svc-elevation']), now)) ??
        (await authenticators.agentToken(token, now)))
    if (!principal) throw apiError('UNAUTHENTICATED', { message: explainUnknownCredential(token) })
    if (!isSigned || principal.kind !== 'apiKey') return principal
    // Every signature recovers to some address, so the expected address must be given if the signature is not the
    // credential.
    if (single(req.headers['x-svc-address']) === undefined) throw apiError('invalid_signature', UNNAMED)
    // Whoever receives what was signed for another registry could otherwise present it here with a key of their own.
    if (single(req.headers['x-svc-service']) === undefined) throw apiError('invalid_signature', UNADDRESSED)
    const { address } = await authenticators.signature(signedRequestOf(req, await readRaw()), now)
    // The key may have been revoked since: the body may arrive slowly, and a wallet's contract may verify the signature.
    return { ...(await currentKey(authenticators, token)), signedBy: address }
  }
  if (!isSigned) return NOBODY
  return authenticators.signature(signedRequestOf(req, await readRaw()), now)
}

async function currentKey({ apiKey }: Authenticators, token: string): Promise<ApiKeyPrincipal> {
  const principal = await apiKey(token)
  if (principal?.kind === 'apiKey') return principal
  throw apiError('UNAUTHENTICATED', { message: explainUnknownCredential(token) })
}

function signedRequestOf(req: IncomingMessage, rawBody: Uint8Array): SignedRequest {
  return {
    method: req.method ?? '',
    path: (req.url ?? '').split('?')[0] ?? '',
    signature: single(req.headers['x-svc-signature']) ?? '',
    timestamp: single(req.headers['x-svc-timestamp']),
    nonce: single(req.headers['x-svc-nonce']),
    address: single(req.headers['x-svc-address']),
    service: single(req.headers['x-svc-service']),
    rawBody,
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
