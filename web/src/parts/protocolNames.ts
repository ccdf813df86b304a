import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'

/** The commerce protocols by the names that their authors gave them. Source: protocols.md. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  a2a: 'Agent2Agent (A2A)',
  acp: 'Agentic Commerce Protocol (ACP)',
  ap2: 'Agent Payments Protocol (AP2)',
  ucp: 'Universal Commerce Protocol (UCP)',
  mpp: 'Machine Payments Protocol (MPP)',
  x402: 'x402',
  vi: 'Verifiable Intent (VI)',
  agentpay: 'Agent Pay',
  tap: 'Trusted Agent Protocol (TAP)',
}
