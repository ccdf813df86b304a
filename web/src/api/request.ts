import type { AnswerOf, OperationKey } from '@svc/core/contract/operations.ts'
import { ApiFailure } from './apiFailure.ts'
import { type AnyCall, type Call, pathOf } from './call.ts'

type Credentials = {
  /** Access token or API key; null to send none. */
  token: string | null
  /** Token of a fresh passkey assertion, for operations that require one. */
  elevation?: string | null
}

const TIMEOUT_MS = 20_000
/** Asks for the refresh token in a cookie that no script can read, and has it read from there. */
const SESSION_IN_COOKIE = { 'X-Svc-Session': 'cookie' }

/**
 * Sends a request with an access token or an API key, or without, and returns the parsed body.
 *
 * @throws ApiFailure for every response that is not a success.
 */
export function request<Key extends OperationKey>(
  key: Key,
  call: Call<Key>,
  token: string | null,
): Promise<AnswerOf<Key>> {
  return sendRequest(key, call, { token })
}

/**
 * `request` for callers that have checked the call, with elevation.
 *
 * @throws ApiFailure for every response that is not a success.
 */
export async function sendRequest<Key extends OperationKey>(
  key: Key,
  call: AnyCall,
  credentials: Credentials,
): Promise<AnswerOf<Key>> {
  const response = await fetchResponse(key, call, credentials)
  call.onTag?.(response.headers.get('etag'))
  return (await parseJson(response)) as AnswerOf<Key>
}

/**
 * Sends a request and returns the raw response.
 *
 * @throws ApiFailure for every response that is not a success.
 */
export async function fetchResponse(
  key: OperationKey,
  call: AnyCall,
  credentials: Credentials,
): Promise<Response> {
  const { body, alsoAccept, headers = {}, signal, timeoutMs = TIMEOUT_MS } = call
  const { token, elevation = null } = credentials
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await tryFetch(pathOf(key, call), {
    method: key.slice(0, key.indexOf(' ')),
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(elevation === null ? {} : { 'X-Svc-Elevation': elevation }),
      ...(key.startsWith('POST /api/auth/') ? SESSION_IN_COOKIE : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
  })
  if (response.ok || response.status === alsoAccept) return response
  throw toApiFailure(response, await parseJson(response))
}

async function tryFetch(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch {
    throw new ApiFailure(
      'NETWORK_ERROR',
      'The service could not be reached. Check your connection and try again.',
    )
  }
}

async function parseJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return null
  }
}

function toApiFailure(response: Response, answer: unknown): ApiFailure {
  const envelope = (answer ?? {}) as Partial<Pick<ApiFailure, 'code' | 'message' | 'errors' | 'challenge'>>
  const retryAfter = response.headers.get('retry-after') ?? ''
  return new ApiFailure(
    envelope.code ?? `HTTP_${response.status}`,
    envelope.message ?? 'The service did not explain what went wrong.',
    {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
      errors: envelope.errors ?? [],
      challenge: envelope.challenge ?? null,
    },
  )
}
