import type { IncomingMessage } from 'node:http'
import { PASS_THROUGH_HEADERS } from '@svc/client/gateway/setPassThroughHeaders.ts'

/** Reads the headers that report the decision to the server behind the gate; the gate has set them before. */
export function readDecision({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> {
  const decision: Record<string, string> = {}
  for (const name of PASS_THROUGH_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') decision[name] = value
  }
  return decision
}
