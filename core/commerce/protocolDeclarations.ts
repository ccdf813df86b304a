import type { z } from 'zod'
import { a2aProtocol } from './a2aProtocol.ts'
import { acpProtocol } from './acpProtocol.ts'
import { agentpayProtocol } from './agentpayProtocol.ts'
import { ap2Protocol } from './ap2Protocol.ts'
import type { Block } from './commerceProtocol.ts'
import { mcpDeclaration } from './mcpDeclaration.ts'
import { mppProtocol } from './mppProtocol.ts'
import { namesDeclaration } from './namesDeclaration.ts'
import { tapProtocol } from './tapProtocol.ts'
import { ucpProtocol } from './ucpProtocol.ts'
import { viProtocol } from './viProtocol.ts'
import { x402Protocol } from './x402Protocol.ts'

/**
 * The top-level blocks of a registration: one for each protocol, that of an MCP server, and that of other names.
 *
 * Known members are validated, and others are stored unchanged, because the protocols grow faster than this list.
 *
 * Source: Spec: Commerce protocol declarations; docs/protocols.md.
 */
export const protocolDeclarations = {
  a2a: a2aProtocol.declaration,
  acp: acpProtocol.declaration,
  ap2: ap2Protocol.declaration,
  ucp: ucpProtocol.declaration,
  mpp: mppProtocol.declaration,
  x402: x402Protocol.declaration,
  vi: viProtocol.declaration,
  agentpay: agentpayProtocol.declaration,
  tap: tapProtocol.declaration,
  mcp: mcpDeclaration,
  names: namesDeclaration,
} as const satisfies Record<Block, z.ZodType>
