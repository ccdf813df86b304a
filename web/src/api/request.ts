import { ApiFailure } from './apiFailure.ts'

/** One request to the service. */
export type Outgoing = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  /** A status that carries an answer although it is not a success: health says 503 and how it feels. */
  alsoAccept?: number
  /** Token that a fresh passkey gave, for what wants one. */
  elevation?: string | null
  /** What a signature of its own adds. */
  headers?: Record<string, string>
}

const TIMEOUT_MS = 20_000

/**
 * Sends a request with the given token and answers its parsed body.
 *
 * @throws ApiFailure for whatever is not a successful answer.
 */
export async function request<Answer>(outgoing: Outgoing, token: string | null): Promise<Answer> {
  return (await parsed(await answered(outgoing, token))) as Answer
}

/**
 * Sends a request with the given token and answers it as it came.
 *
 * @throws ApiFailure for whatever is not a successful answer.
 */
export async function answered(outgoing: Outgoing, token: string | null): Promise<Response> {
  const { method, path, body, alsoAccept, elevation = null, headers = {} } = outgoing
  const response = await reach(path, {
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
  throw failureOf(response, await parsed(response))
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch {
    throw new ApiFailure('NETWORK_ERROR', 'The service could not be reached. Is it running?')
  }
}

async function parsed(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return null
  }
}

function failureOf(response: Response, answer: unknown): ApiFailure {
  const envelope = (answer ?? {}) as { code?: string; message?: string; errors?: ApiFailure['errors'] }
  const retryAfter = response.headers.get('retry-after') ?? ''
  return new ApiFailure(
    envelope.code ?? `HTTP_${response.status}`,
    envelope.message ?? 'The service answered without saying what happened.',
    {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
      errors: envelope.errors ?? [],
    },
  )
}
