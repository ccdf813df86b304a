import { z } from 'zod'
import { policyName } from '../pdlss/policyName.ts'

/**
 * An entry of an endpoint's allowlist, keyed by the owner of an account. Spec: Allowlist entry.
 *
 * It admits every active agent of that owner, subject to the entry's filters.
 */
export const allowlistEntrySchema = z.object({
  allowedOwnerIdentifier: z
    .string()
    .regex(/^SVC[DO]-[0-9A-Za-z]{22}$/, 'expected SVCD- or SVCO- and 22 characters'),
  minTrustScore: z.int().min(0).max(100).optional(),
  allowedPurposes: z.array(policyName(100)).max(100).optional(),
})
