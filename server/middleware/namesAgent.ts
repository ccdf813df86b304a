import type { IncomingMessage } from 'node:http'
import { parseJsonBody } from './readBody.ts'

/** Maximum body that is read to explain a refusal; requests that name an agent are far smaller. */
const BODY_MAX_BYTES = 16 * 1024

/**
 * Whether a request without a credential names an agent, in header `X-Svc-Id` or as `agentId` of its body.
 *
 * Strangers can send as many as they like, so a body is read only if it says that it is small.
 */
export async function namesAgent(req: IncomingMessage, readRaw: () => Promise<Buffer>): Promise<boolean> {
  if (req.headers['x-svc-id']) return true
  const length = Number(req.headers['content-length'] ?? 0)
  if (!(length > 0 && length <= BODY_MAX_BYTES)) return false
  try {
    const body = parseJsonBody(req, await readRaw())
    return typeof body === 'object' && body !== null && isName(Reflect.get(body, 'agentId'))
  } catch {
    // The missing credential is the error to report.
    return false
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
