import type { z } from 'zod'
import { acpProtocol } from './acpProtocol.ts'
import { agentpayProtocol } from './agentpayProtocol.ts'
import { ap2Protocol } from './ap2Protocol.ts'
import type { CommerceProtocol, ProtocolPrefill } from './commerceProtocol.ts'
import { mppProtocol } from './mppProtocol.ts'
import type { Protocol } from './protocols.ts'
import { tapProtocol } from './tapProtocol.ts'
import { ucpProtocol } from './ucpProtocol.ts'
import { viProtocol } from './viProtocol.ts'
import { x402Protocol } from './x402Protocol.ts'

const PREFILLS: Readonly<Record<Protocol, (block: unknown) => ProtocolPrefill>> = {
  a2a: () => ({}),
  acp: parsing(acpProtocol),
  ap2: parsing(ap2Protocol),
  ucp: parsing(ucpProtocol),
  mpp: parsing(mppProtocol),
  x402: parsing(x402Protocol),
  vi: parsing(viProtocol),
  agentpay: parsing(agentpayProtocol),
  tap: parsing(tapProtocol),
}

/** What a block says of the boundary; nothing where the block is not valid. Source: Spec: Commerce protocol declarations. */
export function prefillOf(protocol: Protocol, block: unknown): ProtocolPrefill {
  return PREFILLS[protocol](block)
}

function parsing<Declaration extends z.ZodObject>({ declaration, prefill }: CommerceProtocol<Declaration>) {
  return (block: unknown): ProtocolPrefill => {
    const parsed = declaration.safeParse(block)
    return parsed.success ? prefill(parsed.data) : {}
  }
}
