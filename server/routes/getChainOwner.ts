import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import type { Operation } from './operation.ts'

const params = z.object({
  address: z
    .templateLiteral(['0x', z.string()])
    .check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 20 bytes in hexadecimal')),
})

/** Source: onchain.md "Additions" (`registerFor`). */
export const getChainOwner: Operation = {
  summary: 'Says what an owner’s signature has to cover to register an agent on chain without paying.',
  answer: z.object({
    success: z.literal(true),
    address: z.string(),
    nonce: z.string(),
    chainId: z.number(),
    identityRegistry: z.string(),
    agentUriTemplate: z.string(),
  }),
  errors: ['VALIDATION_ERROR', 'CHAIN_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const { address } = parseInput(params, call.params)
    return { body: { success: true, ...(await services.agents.chainOwner({ address })) } }
  },
}
