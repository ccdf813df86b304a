import { z } from 'zod'
import { COMPARISONS } from '../kyd/comparisons.ts'
import { pageAnswer, success } from './envelope.ts'

const kydStatus = z.enum(['pending', 'approved', 'rejected'])

const documentKind = z.enum(['passport', 'selfie'])

const listed = z.object({
  id: z.string(),
  status: kydStatus,
  developerId: z.string(),
  email: z.string().nullable(),
  fullName: z.string().nullable(),
  reason: z.string().nullable(),
  /** What the reviewer compared before approving it; null if it is not approved, or nothing was stated. */
  compared: z.array(z.enum(COMPARISONS)).nullable(),
  submittedAt: z.string(),
  decidedAt: z.string().nullable(),
  /** `SVCD-` identifier of the operator who decided; null before the decision. */
  decidedBy: z.string().nullable(),
  documentsDeletedAt: z.string().nullable(),
  /** Whether the case is about the reviewer, who may then not decide it. */
  isOwn: z.boolean(),
})

/** Schemas that the know-your-developer operations share. */
export const kydSchemas = {
  status: kydStatus,
  documentKind,
  /** For the owner. */
  state: z.object({
    status: z.enum(['none', ...kydStatus.options]),
    reason: z.string().nullable(),
    submittedAt: z.string().nullable(),
    decidedAt: z.string().nullable(),
    documentsDeletedAt: z.string().nullable(),
  }),
  /** For a reviewer, in a list. */
  listed,
  /** For a reviewer, with the data to compare. */
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
      z.object({ kind: documentKind, mediaType: z.string(), width: z.number(), height: z.number() }),
    ),
  }),
  /** Shown to the owner. */
  reason: z.string().trim().min(3).max(1000),
} as const

/** The state of an identity verification, for its owner. */
export type Kyd = z.output<typeof kydSchemas.state>

/** An identity case, as an operator sees it in a list. */
export type KydCase = z.output<typeof kydSchemas.listed>

/** An identity case with the data to compare. */
export type OpenKydCase = z.output<typeof kydSchemas.case>

/**
 * An approval that says what was compared states every comparison. The dashboard asks for each, so that nobody approves what
 * they have not looked at; other clients may leave it out.
 */
export const postAdminKydApproveBody = z.strictObject({
  compared: z
    .array(z.enum(COMPARISONS))
    .max(COMPARISONS.length)
    .refine((compared) => COMPARISONS.every((one) => compared.includes(one)), {
      message: `expected all of ${COMPARISONS.join(', ')}`,
    })
    .optional(),
})

export const postAdminKydRejectBody = z.strictObject({ reason: kydSchemas.reason })

/** Request and response schemas of the operations, by method and path. */
export const kydOperations = {
  'POST /api/kyd': { answer: success({ kyd: kydSchemas.state }) },
  'GET /api/kyd': { answer: success({ kyd: kydSchemas.state }) },
  'GET /api/admin/kyd': { answer: pageAnswer(kydSchemas.listed) },
  'GET /api/admin/kyd/:id': { answer: success({ case: kydSchemas.case }) },
  'GET /api/admin/kyd/:id/documents/:kind': { answer: z.string() },
  'POST /api/admin/kyd/:id/approve': {
    body: postAdminKydApproveBody,
    answer: success({ case: kydSchemas.listed }),
  },
  'POST /api/admin/kyd/:id/reject': {
    body: postAdminKydRejectBody,
    answer: success({ case: kydSchemas.listed }),
  },
} as const
