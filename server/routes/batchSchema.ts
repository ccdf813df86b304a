import { z } from 'zod'

/** Schema of a batch in answers. Source: api.md "Approvals, activity, audit". */
export const batchSchema = z.object({
  number: z.int(),
  prevSize: z.int(),
  newSize: z.int(),
  root: z.string(),
  status: z.enum(['sealed', 'anchored', 'confirmed']),
  transactionHash: z.string().nullable(),
  blockNumber: z.int().nullable(),
  sealedAt: z.string(),
  confirmedAt: z.string().nullable(),
})
