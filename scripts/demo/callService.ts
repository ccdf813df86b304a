// biome-ignore lint/suspicious/noExplicitAny: the demo reads responses of every shape and checks what it reads
type Answer = any

/** Calls the service over HTTP, and throws if the status is not the expected one, 200 by default. */
export async function callService(
  baseUrl: string,
  method: string,
  path: string,
  options: { body?: object; bearer?: string; headers?: Record<string, string>; status?: number } = {},
): Promise<Answer> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(options.body ? { 'content-type': 'application/json' } : {}),
      ...options.headers,
      ...(options.bearer ? { authorization: `Bearer ${options.bearer}` } : {}),
    },
    ...(options.body ? { body: JSON.stringify(options.body) } : {}),
    signal: AbortSignal.timeout(15_000),
  })
  const answer = await response.json()
  const expected = options.status ?? 200
  if (response.status !== expected) {
    throw new Error(`${method} ${path} returned ${response.status} (${answer.code}): ${answer.message}`)
  }
  return answer
}
