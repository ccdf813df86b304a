import type { IncomingMessage } from 'node:http'
import { PASS_THROUGH_HEADERS } from '@svc/client/gateway/setPassThroughHeaders.ts'

/** Reads the headers that tell the server behind the gate what was decided; the gate has set them before. */
export function readDecision({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> {
  return Object.fromEntries(
    PASS_THROUGH_HEADERS.flatMap((name) =>
      typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
    ),
  )
}
