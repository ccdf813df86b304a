import type { Route } from '../../../server/middleware/serve.ts'
import type { Served } from '../../harness/service/serveRoutes.ts'

/** A route that returns the body that it gets. */
export const echo: Route = {
  method: 'POST',
  path: '/api/echo',
  access: 'anyone',
  budget: 'public',
  handler: (call) => ({ body: { success: true, body: call.body ?? null } }),
}

/** Sends a body to a path of a server. */
export const postTo = (
  { url }: Served,
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) =>
  fetch(url + path, {
    method: 'POST',
    body: body as string,
    headers: { 'content-type': 'application/json', ...headers },
  })

/** The status of an error, and its code. */
export const codeOf = async (response: Response) => {
  const body = (await response.json()) as { code: string }
  return [response.status, body.code]
}
