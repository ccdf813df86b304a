/** One answer of the service, parsed. */
export type ApiAnswer<Body> = { status: number; headers: Headers; body: Body }

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape, and a wrong member fails the test
type Loose = any

/** Calls the service as any client would. */
export async function api<Body = Loose>(
  baseUrl: string,
  method: string,
  path: string,
  options: { body?: unknown; bearer?: string; headers?: Record<string, string> } = {},
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
