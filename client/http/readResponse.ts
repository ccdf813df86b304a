import { concatBytes } from '@svc/core/concatBytes.ts'
import { SvcApiError } from './svcApiError.ts'

/** Far longer than any response of the service; a longer body comes from something else. */
const BODY_BYTES_MAX = 1_048_576

/**
 * Reads the text of a response or Fetch request, by default up to 1 MiB, so that a foreign server or caller cannot exhaust
 * the memory.
 *
 * @returns undefined if the body is longer; the rest is not read.
 * @throws Whatever interrupted the response, including its time limit.
 */
export async function readText(
  message: Pick<Response | Request, 'body'>,
  bytesMax = BODY_BYTES_MAX,
): Promise<string | undefined> {
  const bytes = await readBytes(message, bytesMax)
  return bytes && new TextDecoder().decode(bytes)
}

/** Reads the bytes of a response or Fetch request, as `readText` reads its text. */
export async function readBytes(
  { body }: Pick<Response | Request, 'body'>,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done || value === undefined) return concatBytes(chunks)
    size += value.byteLength
    if (size > bytesMax) {
      // Not awaited: the body of a cloned request is cancelled once the original has been read too.
      reader?.cancel().catch(() => undefined)
      return undefined
    }
    chunks.push(value)
  }
}

/**
 * Reads an unsuccessful response as an error.
 *
 * If the body is not the service's envelope (a proxy's error page, say), the error still has the status, request id and
 * Retry-After of the response.
 *
 * Source: docs/errors.md; RFC 9110 §10.2.3.
 */
export async function readError(response: Response, now: number): Promise<SvcApiError> {
  const envelope = await readEnvelope(response)
  return new SvcApiError({
    code: typeof envelope?.code === 'string' ? envelope.code : 'INVALID_RESPONSE',
    status: response.status,
    message:
      typeof envelope?.message === 'string'
        ? envelope.message
        : `${response.url} responded with ${response.status} but without an error of the service; is apiBaseUrl right?`,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after'), now),
    errors: Array.isArray(envelope?.errors) ? envelope.errors.filter(isFieldError) : [],
  })
}

async function readEnvelope(response: Response): Promise<Record<string, unknown> | null> {
  try {
    const body: unknown = JSON.parse((await readText(response)) ?? '')
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function isFieldError(error: Partial<SvcApiError['errors'][number]> | null): boolean {
  return typeof error?.pointer === 'string' && typeof error.message === 'string'
}

/** Retry-After in seconds; the header is either a number of seconds or a date. */
function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const until = Date.parse(header)
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now) / 1000))
}
