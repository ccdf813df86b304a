import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Approvals, activity, audit". */
export const getChain: Operation = {
  summary: 'Names the chain, its contracts and the audit log, for whoever checks a proof.',
  answer: z.object({
    success: z.literal(true),
    chainId: z.int(),
    confirmations: z.int(),
    contracts: z.object({
      identityRegistry: z.string(),
      reputationRegistry: z.string().nullable(),
      validationRegistry: z.string().nullable(),
      auditLog: z.string(),
    }),
    logId: z.string(),
  }),
  errors: ['CHAIN_UNAVAILABLE'],
  handle: (services) => async () => ({ body: { success: true, ...(await services.chainOverview()) } }),
}
