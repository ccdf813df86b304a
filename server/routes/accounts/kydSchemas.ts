import { z } from 'zod'

const status = z.enum(['pending', 'approved', 'rejected'])

const listed = z.object({
  id: z.string(),
  status,
  developerId: z.string(),
  email: z.string().nullable(),
  fullName: z.string().nullable(),
  reason: z.string().nullable(),
  submittedAt: z.string(),
  decidedAt: z.string().nullable(),
  decidedBy: z.string().nullable(),
  documentsDeletedAt: z.string().nullable(),
  isOwn: z.boolean(),
})

/** What the operations of know-your-developer take and answer. */
export const kydSchemas = {
  status,
  documentKind: z.enum(['passport', 'selfie']),
  /** For the owner. */
  state: z.object({
    status: z.enum(['none', ...status.options]),
    reason: z.string().nullable(),
    submittedAt: z.string().nullable(),
    decidedAt: z.string().nullable(),
    documentsDeletedAt: z.string().nullable(),
  }),
  /** For a reviewer, in a list. */
  listed,
  /** For a reviewer, with what is compared. */
  case: listed.extend({
    mrz: z
      .object({
        issuer: z.string(),
        surname: z.string(),
        givenNames: z.string(),
        documentNumber: z.string(),
        nationality: z.string(),
        birthDate: z.string(),
        sex: z.enum(['F', 'M', 'unspecified']),
        expiryDate: z.string(),
      })
      .nullable(),
    documents: z.array(
      z.object({ kind: z.string(), mediaType: z.string(), width: z.number(), height: z.number() }),
    ),
  }),
  /** For the owner to read. Bounds: api.md "Envelope". */
  reason: z.string().trim().min(3).max(1000),
} as const
