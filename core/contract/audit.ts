import { z } from 'zod'
import { consistencyDocument, proofDocument } from '../audit/proofDocument.ts'
import { receiptDocument } from '../receipt/receiptDocument.ts'
import { eventSchema } from './activity.ts'
import { pageAnswer, success } from './envelope.ts'
import { accessLevel, recommendation } from './states.ts'
import { access } from './verification.ts'

const recordAnswer = success({
  /** `entry` has the exact bytes of the leaf. */
  record: z.object({
    /** Its number among all records of the service; the `index` of its proof is that in its log. */
    seq: z.int(),
    recordId: z.string(),
    entry: z.base64(),
    event: eventSchema,
  }),
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
  'GET /api/audit/records/:id/receipt': { answer: receiptDocument.extend({ success: z.literal(true) }) },
  'POST /api/audit/records/:id/replay': {
    answer: success({
      recordId: z.string(),
      reproduced: z.boolean(),
      inputsMatch: z.boolean(),
      recorded: z.object(outcome),
      replayed: z.object({ ...outcome, access, recommendationReasons: z.array(z.string()) }),
    }),
  },
  'GET /api/audit/batches': { answer: pageAnswer(batchSchema) },
  'GET /api/audit/batches/:number': {
    answer: success({
      batch: batchSchema.extend({ consistencyProof: z.array(z.string()) }),
    }),
  },
  'GET /api/audit/export': {
    answer: proofDocument.extend({ seq: z.int(), recordId: z.string(), event: eventSchema }),
  },
  'GET /api/audit/consistency': { answer: consistencyDocument.extend({ success: z.literal(true) }) },
  'GET /api/audit/checkpoint': { answer: z.string() },
  'GET /api/audit/key': {
    answer: success({
      /** First line of the log's checkpoints, and the name of its key. */
      origin: z.string(),
      /** Name, key id and key, as tools for signed notes accept them. */
      verifierKey: z.string(),
      publicKeyPem: z.string(),
      /** Signed notes, oldest first, in which each former key names its successor. */
      handovers: z.array(z.string()),
    }),
  },
  'GET /api/chain': {
    answer: success({
      chainId: z.int(),
      confirmations: z.int(),
      contracts: z.object({
        identityRegistry: z.string(),
        /** Null until the first start after an upgrade deploys it. */
        reputationRegistry: z.string().nullable(),
        validationRegistry: z.string().nullable(),
        auditLog: z.string(),
      }),
      /** The first audit log. */
      logId: z.string(),
      /** All audit logs, by their numbers. */
      logIds: z.array(z.string()),
      /** A node that anyone may ask, also from a browser; null if the operator publishes none. */
      publicRpcUrl: z.string().nullable(),
    }),
  },
} as const
