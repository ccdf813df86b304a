import type { IncomingMessage } from 'node:http'
import type { GatewayOutcome } from '@svc/client/gateway/createGateway.ts'
import { refuseTarget } from '@svc/client/gateway/refuseTarget.ts'
import type { GateSettings } from '../settings/gateSettings.ts'

/** Refuses a request, about which a proxy asks, whose target contradicts its host; returns undefined for any other. */
export function refuseQuestion(
  { url, headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  question: GateSettings['question'],
): GatewayOutcome | undefined {
  if (question === 'request') return refuseTarget(url, headers.host)
  const { 'x-forwarded-uri': target, 'x-forwarded-host': host } = headers
  return refuseTarget([target].flat().join(', '), host === undefined ? undefined : [host].flat().join(', '))
}
