import { CREDENTIAL_TYPES } from '@svc/core/credentials/credentialLookupKey.ts'
import { z } from 'zod'

/** A stored third-party credential as its owner sees it; the credential itself is not kept. */
export const credentialSchema = z.object({
  id: z.string(),
  type: z.enum(CREDENTIAL_TYPES),
  subject: z.string(),
  issuer: z.string().nullable(),
  algorithm: z.string(),
  status: z.enum(['valid', 'expired']),
  validFrom: z.string().nullable(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
})
