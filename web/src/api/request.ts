import { ApiFailure } from './apiFailure.ts'

/** One request to the service. */
export type Outgoing = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  /** A non-2xx status that carries an answer too: health responds with 503 and a full report. */
  alsoAccept?: number
  /** Elevation token from a fresh passkey assertion, for actions that require one. */
  elevation?: string | null
  /** Additional headers, such as those of a signed request. */
  headers?: Record<string, string>
}

const TIMEOUT_MS = 20_000

/**
 * Sends a request with the given access token and returns the parsed body.
 *
 * @throws ApiFailure for every response that is not a success.
 */
export async function request<Answer>(outgoing: Outgoing, token: string | null): Promise<Answer> {
  return (await parseJson(await fetchResponse(outgoing, token))) as Answer
}

/**
 * Sends a request with the given access token and returns the raw response.
 *
 * @throws ApiFailure for every response that is not a success.
 */
export async function fetchResponse(outgoing: Outgoing, token: string | null): Promise<Response> {
  const { method, path, body, alsoAccept, elevation = null, headers = {} } = outgoing
  const response = await tryFetch(path, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(elevation === null ? {} : { 'X-Svc-Elevation': elevation }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
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
  const envelope = (answer ?? {}) as { code?: string; message?: string; errors?: ApiFailure['errors'] }
  const retryAfter = response.headers.get('retry-after') ?? ''
  return new ApiFailure(
    envelope.code ?? `HTTP_${response.status}`,
    envelope.message ?? 'The service did not explain what went wrong.',
    {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
      errors: envelope.errors ?? [],
    },
  )
}
