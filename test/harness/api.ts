/** One answer of the service, parsed. */
export type ApiAnswer<Body> = { status: number; headers: Headers; body: Body }

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape, and a wrong member fails the test
type Loose = any

type Options = { body?: unknown; bearer?: string; headers?: Record<string, string> }

/** A busy machine does not always bring the feed up to the log within the five seconds that a look at it waits. */
const LOOKS_MAX = 6

/** Calls the service as any client would; what is to be asked again because the feed is behind, is. */
export async function api<Body = Loose>(
  baseUrl: string,
  method: string,
  path: string,
  options: Options = {},
): Promise<ApiAnswer<Body>> {
  for (let looks = 1; ; looks += 1) {
    const answer = await send<Body>(baseUrl, method, path, options)
    // Nobody else is told this with five seconds.
    const isBehind =
      answer.status === 503 &&
      (answer.body as { code?: string } | null)?.code === 'SERVICE_UNAVAILABLE' &&
      answer.headers.get('retry-after') === '5'
    if (method !== 'GET' || !isBehind || looks === LOOKS_MAX) return answer
  }
}

async function send<Body>(
  baseUrl: string,
  method: string,
  path: string,
  options: Options,
): Promise<ApiAnswer<Body>> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.bearer === undefined ? {} : { authorization: `Bearer ${options.bearer}` }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}
