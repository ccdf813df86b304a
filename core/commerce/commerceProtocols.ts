import { a2aProtocol } from './a2aProtocol.ts'
import { acpProtocol } from './acpProtocol.ts'
import { agentpayProtocol } from './agentpayProtocol.ts'
import { ap2Protocol } from './ap2Protocol.ts'
import type { CommerceProtocol, Protocol } from './commerceProtocol.ts'
import { mppProtocol } from './mppProtocol.ts'
import { tapProtocol } from './tapProtocol.ts'
import { ucpProtocol } from './ucpProtocol.ts'
import { viProtocol } from './viProtocol.ts'
import { x402Protocol } from './x402Protocol.ts'

/** The protocols by name. Source: Spec: Commerce protocol declarations. */
export const commerceProtocols: Readonly<
  Record<Protocol, Pick<CommerceProtocol, 'confidential' | 'prefill'>>
> = {
  a2a: a2aProtocol,
  acp: acpProtocol,
  ap2: ap2Protocol,
  ucp: ucpProtocol,
  mpp: mppProtocol,
  x402: x402Protocol,
  vi: viProtocol,
  agentpay: agentpayProtocol,
  tap: tapProtocol,
}
