import { readBody } from './readBody.ts'
import { SvcApiError } from './svcApiError.ts'

/**
 * The error that an unsuccessful response stands for.
 *
 * A body that is not the service's envelope (a proxy's page, say) still gives status, request id and Retry-After.
 *
 * Source: api.md "Envelope"; RFC 9110 §10.2.3.
 */
export async function errorOfResponse(response: Response, now: number): Promise<SvcApiError> {
  const envelope = await envelopeOf(response)
  return new SvcApiError({
    code: typeof envelope?.code === 'string' ? envelope.code : 'INVALID_RESPONSE',
    status: response.status,
    message:
      typeof envelope?.message === 'string'
        ? envelope.message
        : `${response.url} answered ${response.status} without an error of the service; is the base address right?`,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfterSecondsOf(response.headers.get('retry-after'), now),
    errors: Array.isArray(envelope?.errors) ? envelope.errors.filter(isFieldError) : [],
  })
}

async function envelopeOf(response: Response): Promise<Record<string, unknown> | null> {
  try {
    const body: unknown = JSON.parse((await readBody(response)) ?? '')
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function isFieldError(error: Partial<SvcApiError['errors'][number]> | null): boolean {
  return typeof error?.pointer === 'string' && typeof error.message === 'string'
}

/** Retry-After is a number of seconds or a date. */
function retryAfterSecondsOf(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const until = Date.parse(header)
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now) / 1000))
}
