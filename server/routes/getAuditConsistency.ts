import { consistencyDocument } from '@svc/core/audit/consistencyDocument.ts'
import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import type { Operation } from './operation.ts'

const size = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
const sizesSchema = z.object({ from: size, to: size.optional() })

/** Source: RFC 9162 §2.1.4; onchain.md "The audit log". */
export const getAuditConsistency: Operation = {
  summary:
    'Proves that the audit log of `to` entries begins with the log of `from` entries; `to` is the anchored size if left out.',
  query: { from: size, to: size.optional() },
  answer: consistencyDocument.extend({ success: z.literal(true) }),
  errors: ['VALIDATION_ERROR', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const { from, to } = parseInput(sizesSchema, Object.fromEntries(call.query))
    return { body: { success: true, ...(await services.audit.proveConsistency({ from, to: to ?? null })) } }
  },
}
