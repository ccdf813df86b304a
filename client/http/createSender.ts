import { errorOfResponse } from './errorOfResponse.ts'
import { readBody } from './readBody.ts'
import { SvcApiError } from './svcApiError.ts'

/** How calls are made; everything has a default but the address. */
export type SenderConfig = {
  /** Address in front of the paths, without a slash at its end. */
  baseUrl: string
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>
  /** The platform's unless given. */
  fetch?: typeof fetch
  /** For one call with all its repeats, in milliseconds; default 10,000. */
  timeoutMs?: number
  /** Pauses between repeats; replaced where timers are not wanted. */
  wait?: (ms: number) => Promise<void>
}

/** One call. */
type Outgoing = {
  method: 'GET' | 'POST'
  path: string
  /** JSON text, sent as it is. */
  body?: string
  headers?: Readonly<Record<string, string>>
  /**
   * When the same call may be sent again: `always` when repeating it changes nothing, `refused` only when the service
   * says that it did nothing, `never` when the call can be used once.
   */
  repeat: 'always' | 'refused' | 'never'
}

/** Makes a call and answers its parsed body. */
export type Send = <Answer>(outgoing: Outgoing) => Promise<Answer>

const TIMEOUT_MS_DEFAULT = 10_000
/** Timers count no further; one that is given more ends at once. */
const TIMEOUT_MS_MAX = 2_147_483_647
const REPEATS_MAX = 2
const PAUSE_MS_DEFAULT = 500
const JITTER_MS_MAX = 100

/**
 * Makes a function that calls the service, with one time limit over all repeats of a call.
 *
 * Only 429 and 503 are repeated, at most twice, after the pause the service asks for; a pause that does not fit into
 * the time limit is left to the caller (`retryAfterSeconds`). Redirects are not followed: they would carry the API
 * key elsewhere.
 *
 * @throws Error at once for a time limit that is none: found out at a call, it would look like a service that is away.
 */
export function createSender(config: SenderConfig): Send {
  const { baseUrl, headers = {}, fetch: fetchIt = fetch, timeoutMs = TIMEOUT_MS_DEFAULT } = config
  if (!(Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX)) {
    throw new Error(`timeoutMs has to be a number from 1 to ${TIMEOUT_MS_MAX}, got ${timeoutMs}`)
  }
  const wait = config.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)))
  return async <Answer>(outgoing: Outgoing): Promise<Answer> => {
    const deadline = Date.now() + timeoutMs
    const attempt = () =>
      reach(() =>
        fetchIt(baseUrl + outgoing.path, {
          method: outgoing.method,
          headers: {
            Accept: 'application/json',
            ...(outgoing.body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...headers,
            ...outgoing.headers,
          },
          ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
          redirect: 'manual',
          signal: AbortSignal.timeout(Math.max(1, deadline - Date.now())),
        }),
      )
    for (let repeats = 0; ; repeats += 1) {
      const response = await attempt()
      if (response.ok) return (await answerOf(response)) as Answer
      const error = await errorOfResponse(response, Date.now())
      const pauseMs = pauseMsOf(error, repeats)
      const fits = Date.now() + pauseMs < deadline
      if (repeats === REPEATS_MAX || !fits || !mayRepeat(error, outgoing.repeat)) throw error
      await wait(pauseMs)
    }
  }
}

async function reach<Reached>(call: () => Promise<Reached>): Promise<Reached> {
  try {
    return await call()
  } catch (cause) {
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
    throw new SvcApiError({
      code: isTimeout ? 'TIMEOUT' : 'NETWORK_ERROR',
      status: 0,
      message: isTimeout ? 'The service did not answer in time.' : 'The service could not be reached.',
      cause,
    })
  }
}

/** An answer that breaks off is none; one that is too long or no JSON comes from something else. */
async function answerOf(response: Response): Promise<unknown> {
  const text = await reach(() => readBody(response))
  try {
    return JSON.parse(text ?? '')
  } catch (cause) {
    const type = response.headers.get('content-type') ?? 'no content type'
    throw new SvcApiError({
      code: 'INVALID_RESPONSE',
      status: response.status,
      message: `${response.url} answered ${type} where JSON was expected; is the base address right?`,
      requestId: response.headers.get('x-request-id'),
      cause,
    })
  }
}

/** A budget refuses before anything is done, and so does our own 503; a proxy's 503 may come after it. */
function mayRepeat(error: SvcApiError, repeat: Outgoing['repeat']): boolean {
  if (repeat === 'never') return false
  if (error.status === 429) return true
  return error.status === 503 && (repeat === 'always' || error.code === 'SERVICE_UNAVAILABLE')
}

function pauseMsOf(error: SvcApiError, repeats: number): number {
  const asked = error.retryAfterSeconds
  return (asked === null ? PAUSE_MS_DEFAULT * 2 ** repeats : asked * 1000) + Math.random() * JITTER_MS_MAX
}
