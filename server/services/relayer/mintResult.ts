import { z } from 'zod'
import type { Hex } from '../../chain/chainTypes.ts'

/** What a mint left on chain, as the outbox keeps it: the id, and who holds the token at first. */
export const mintResult = z.object({
  agentId: z.string(),
  holder: z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x')),
})
