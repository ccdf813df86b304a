import { checkNumber, TIMER_MS_MAX } from './checkNumber.ts'
import { readError, readText } from './readResponse.ts'
import { SvcApiError } from './svcApiError.ts'

/** How calls are made; everything except the URL has a default. */
export type SenderConfig = {
  /** Prefix of every path, without a trailing slash. */
  baseUrl: string
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch | undefined
  /** Time limit of one call including its retries, in milliseconds; default 10,000. */
  timeoutMs?: number | undefined
  /** Replaces the timer that pauses between retries. */
  wait?: ((ms: number) => Promise<void>) | undefined
}

/** One call. */
type Call = {
  method: 'GET' | 'POST'
  path: string
  /** JSON text, sent as is. */
  body?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /**
   * When the call may be sent again: `always` if repeating it changes nothing, `whenRefused` if only after the service has
   * said that it did nothing, `never` if the call can be used only once.
   */
  retry: 'always' | 'whenRefused' | 'never'
  /** Whether a JSON object is an answer to this call; any is by default. */
  isAnswer?: ((answer: Readonly<Record<string, unknown>>) => boolean) | undefined
}

/** Makes a call and returns the parsed body of the response. */
export type Send = <Answer>(call: Call) => Promise<Answer>

const TIMEOUT_MS_DEFAULT = 10_000
const RETRIES_MAX = 2
const PAUSE_MS_DEFAULT = 500
const JITTER_MS_MAX = 100

/**
 * Creates a function that calls the service, with one time limit for a call and all its retries.
 *
 * Only 429 and 503 are retried, at most twice, after the pause that the service asks for. If that pause does not fit into
 * the time limit, the call fails and the caller may wait (`retryAfterSeconds`). Redirects are not followed, because they
 * would carry the API key to another host.
 *
 * @throws Error at once for an invalid time limit. If it only failed at the first call, the service would seem to be
 *   unreachable.
 */
export function createSender(config: SenderConfig): Send {
  const { baseUrl, headers = {}, fetch: fetchIt = fetch, timeoutMs = TIMEOUT_MS_DEFAULT } = config
  checkNumber('timeoutMs', timeoutMs, 1, TIMER_MS_MAX)
  const wait = config.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)))
  return async <Answer>(call: Call): Promise<Answer> => {
    const deadline = Date.now() + timeoutMs
    const attempt = () =>
      wrapNetworkErrors(() =>
        fetchIt(baseUrl + call.path, {
          method: call.method,
          headers: {
            Accept: 'application/json',
            ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...headers,
            ...call.headers,
          },
          ...(call.body === undefined ? {} : { body: call.body }),
          redirect: 'manual',
          signal: AbortSignal.timeout(Math.max(1, deadline - Date.now())),
        }),
      )
    for (let retries = 0; ; retries += 1) {
      const response = await attempt()
      if (response.ok) return (await readAnswer(response, call)) as Answer
      const error = await readError(response, Date.now())
      const pauseMs = pauseMsAfter(error, retries)
      const fits = Date.now() + pauseMs < deadline
      if (retries === RETRIES_MAX || !fits || !mayRetry(error, call.retry)) throw error
      await wait(pauseMs)
    }
  }
}

async function wrapNetworkErrors<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (cause) {
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
    throw new SvcApiError({
      code: isTimeout ? 'TIMEOUT' : 'NETWORK_ERROR',
      status: 0,
      message: isTimeout ? 'The service did not respond in time.' : 'The service could not be reached.',
      cause,
    })
  }
}

/** A JSON text that is no answer to the call, such as the `null` of a proxy, did not come from the service either. */
async function readAnswer(response: Response, { isAnswer = () => true }: Call): Promise<object> {
  const answer = await readJson(response)
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer)
  if (isObject && isAnswer(answer as Record<string, unknown>)) return answer
  throw new SvcApiError({
    code: 'INVALID_RESPONSE',
    status: response.status,
    message: `The JSON from ${response.url} is not the answer of the service; is apiBaseUrl right?`,
    requestId: response.headers.get('x-request-id'),
  })
}

/** A body that breaks off is a network error; one that is too long or not JSON did not come from the service. */
async function readJson(response: Response): Promise<unknown> {
  const text = await wrapNetworkErrors(() => readText(response))
  try {
    return JSON.parse(text ?? '')
  } catch (cause) {
    const type = response.headers.get('content-type') ?? 'no content type'
    throw new SvcApiError({
      code: 'INVALID_RESPONSE',
      status: response.status,
      message: `Expected JSON from ${response.url}, got ${type}; is apiBaseUrl right?`,
      requestId: response.headers.get('x-request-id'),
      cause,
    })
  }
}

/** A rate limit and the service's own 503 refuse a call before anything is done; a proxy's 503 may come afterwards. */
function mayRetry(error: SvcApiError, retry: Call['retry']): boolean {
  if (retry === 'never') return false
  if (error.status === 429) return true
  return error.status === 503 && (retry === 'always' || error.code === 'SERVICE_UNAVAILABLE')
}

function pauseMsAfter(error: SvcApiError, retries: number): number {
  const { retryAfterSeconds: seconds } = error
  return (seconds === null ? PAUSE_MS_DEFAULT * 2 ** retries : seconds * 1000) + Math.random() * JITTER_MS_MAX
}
