import type { ServerResponse } from 'node:http'
import type { Answer } from './call.ts'

/** The interface version every response names. Source: `Spec: Versioning`. */
export const INTERFACE_VERSION = '2.3.10'

/** Writes a successful response; bodies are serialised only here. */
export function writeAnswer(
  res: ServerResponse,
  answer: Answer,
  requestId: string,
  extra: Record<string, string>,
): void {
  // RFC 9110 §15.4.5, §8.6: the length in a 304 would be that of the content it stands for; a 204 has none.
  if (answer.status === 304 || answer.status === 204) {
    res.writeHead(answer.status, {
      'X-Request-Id': requestId,
      'X-Svc-Version': INTERFACE_VERSION,
      ...extra,
      ...answer.headers,
    })
    res.end()
    return
  }
  const payload =
    answer.contentType === undefined ? JSON.stringify(answer.body) : (answer.body as string | Buffer)
  res.writeHead(answer.status ?? 200, {
    'Content-Type': answer.contentType ?? 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(payload),
    'X-Request-Id': requestId,
    'X-Svc-Version': INTERFACE_VERSION,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...extra,
    ...answer.headers,
  })
  res.end(payload)
}
