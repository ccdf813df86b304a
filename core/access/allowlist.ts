import { z } from 'zod'

/**
 * An entry of an endpoint's allowlist, keyed on an account owner. Spec: Allowlist entry.
 *
 * Every active agent of that owner is admitted, subject to the entry's own filters.
 */
export const allowlistEntrySchema = z.object({
  allowedOwnerIdentifier: z
    .string()
    .regex(/^SVC[DO]-[0-9A-Za-z]{22}$/, 'expected SVCD- or SVCO- and 22 characters'),
  minTrustScore: z.int().min(0).max(100).optional(),
  allowedPurposes: z.array(z.string().min(1).max(100)).max(100).optional(),
})

export type AllowlistEntry = z.infer<typeof allowlistEntrySchema>
