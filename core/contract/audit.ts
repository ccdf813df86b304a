import { z } from 'zod'
import { consistencyDocument, proofDocument } from '../audit/proofDocument.ts'
import { eventSchema } from './activity.ts'
import { pageAnswer } from './envelope.ts'
import { accessLevel, recommendation } from './states.ts'
import { access } from './verification.ts'

const recordAnswer = z.object({
  success: z.literal(true),
  record: z.object({ seq: z.int(), recordId: z.string(), entry: z.base64(), event: eventSchema }),
})

const outcome = {
  recommendation,
  accessLevel,
  dimensions: z.array(z.string()),
}

/** A record of the audit log, for a party of its event. */
export type AuditRecord = z.output<typeof recordAnswer>['record']

/** Schema of a response that is a proof document; docs/auditing.md explains its members. */
const proofAnswer = proofDocument.extend({ success: z.literal(true) })

/** Schema of a batch in responses. */
const batchSchema = z.object({
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

/** A batch of the audit log. */
export type AuditBatch = z.output<typeof batchSchema>

/** Request and response schemas of the operations, by method and path. */
export const auditOperations = {
  'GET /api/audit/records/:id': { answer: z.union([recordAnswer, proofAnswer]) },
  'GET /api/audit/records/:id/proof': { answer: proofAnswer },
  'POST /api/audit/records/:id/replay': {
    answer: z.object({
      success: z.literal(true),
      recordId: z.string(),
      reproduced: z.boolean(),
      inputsMatch: z.boolean(),
      recorded: z.object(outcome),
      replayed: z.object({ ...outcome, access, recommendationReasons: z.array(z.string()) }),
    }),
  },
  'GET /api/audit/batches': { answer: pageAnswer(batchSchema) },
  'GET /api/audit/batches/:number': {
    answer: z.object({
      success: z.literal(true),
      batch: batchSchema.extend({ consistencyProof: z.array(z.string()) }),
    }),
  },
  'GET /api/audit/export': {
    answer: proofDocument.extend({ seq: z.int(), recordId: z.string(), event: eventSchema }),
  },
  'GET /api/audit/consistency': { answer: consistencyDocument.extend({ success: z.literal(true) }) },
  'GET /api/audit/checkpoint': { answer: z.string() },
  'GET /api/audit/key': {
    answer: z.object({
      success: z.literal(true),
      origin: z.string(),
      verifierKey: z.string(),
      publicKeyPem: z.string(),
    }),
  },
  'GET /api/chain': {
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
  },
} as const
