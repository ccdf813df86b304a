import { auditOperations } from '@svc/core/contract/audit.ts'
import { writeJsonLine } from '@svc/core/json.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { actsForOf } from '../../services/actsForOf.ts'
import { type ExportRecordsDeps, exportRecords } from '../../services/audit/exportRecords.ts'
import { type ProveConsistencyDeps, proveConsistency } from '../../services/audit/proveConsistency.ts'
import { type ReadCheckpointDeps, readCheckpoint } from '../../services/audit/readCheckpoint.ts'
import { type ReadLogKeyDeps, readLogKey } from '../../services/audit/readLogKey.ts'
import type { ChainOverview } from '../../services/chain/chainOverview.ts'
import { operation } from '../operation.ts'

const place = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
/** Digits and nothing else: an empty `to` is not the place 0, and what stands here goes into a header. */
const writtenPlace = z
  .string()
  .regex(/^\d{1,16}$/, 'expected a whole number')
  .transform(Number)
  .pipe(z.number().max(Number.MAX_SAFE_INTEGER))
const rangeSchema = z
  .object({ from: writtenPlace.default(0), to: writtenPlace.default(Number.MAX_SAFE_INTEGER) })
  .refine(({ from, to }) => from <= to, {
    path: ['from'],
    params: { code: 'too_big' },
    message: 'is greater than `to`',
  })

/**
 * JSON Lines, at most 500; `Link: <…>; rel="next"` (RFC 8288) leads to the rest.
 *
 * Source: api.md "Approvals, activity, audit"; onchain.md "What an auditor gets".
 */
export const getAuditExport = operation({
  summary:
    'Exports the caller’s confirmed records with sequence numbers `from` to `to`, each with its proof, as JSON Lines.',
  query: { from: place.optional(), to: place.optional() },
  mediaType: 'application/jsonl',
  answer: auditOperations['GET /api/audit/export'].answer,
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { audit: ExportRecordsDeps }) => async (call) => {
    const range = parseInput(rangeSchema, Object.fromEntries(call.query))
    const { lines, nextFrom } = await exportRecords(parts.audit, {
      actsFor: actsForOf(call.principal),
      ...range,
    })
    return {
      contentType: 'application/jsonl; charset=utf-8',
      ...(nextFrom === null
        ? {}
        : { headers: { Link: `<${linkTo(nextFrom, call.query.get('to'))}>; rel="next"` } }),
      body: lines.map((line) => `${writeJsonLine(line)}\n`).join(''),
    }
  },
})

function linkTo(from: number, to: string | null): string {
  return `/api/audit/export?from=${from}${to === null ? '' : `&to=${to}`}`
}

const size = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
const sizesSchema = z.object({ from: size, to: size.optional() })

/** Source: RFC 9162 §2.1.4; onchain.md "The audit log". */
export const getAuditConsistency = operation({
  summary:
    'Proves that the audit log of `to` entries begins with the log of `from` entries; `to` is the anchored size if left out.',
  query: { from: size, to: size.optional() },
  answer: auditOperations['GET /api/audit/consistency'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { audit: ProveConsistencyDeps }) => async (call) => {
    const { from, to } = parseInput(sizesSchema, Object.fromEntries(call.query))
    return { body: { success: true, ...(await proveConsistency(parts.audit, { from, to: to ?? null })) } }
  },
})

/** Source: C2SP tlog-checkpoint. */
export const getAuditCheckpoint = operation({
  summary:
    'Shows the newest head that is final on chain as a checkpoint signed by the log (C2SP tlog-checkpoint).',
  mediaType: 'text/plain',
  answer: auditOperations['GET /api/audit/checkpoint'].answer,
  errors: ['NOT_ANCHORED_YET'],
  handle: (parts: { audit: ReadCheckpointDeps }) => async () => ({
    contentType: 'text/plain; charset=utf-8',
    body: await readCheckpoint(parts.audit),
  }),
})

/** Source: C2SP signed-note "Ed25519 signatures". */
export const getAuditKey = operation({
  summary: 'Publishes the key that checkpoints of the audit log are signed with.',
  answer: auditOperations['GET /api/audit/key'].answer,
  errors: [],
  handle: (parts: { audit: ReadLogKeyDeps }) => async () => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { success: true, ...(await readLogKey(parts.audit)) },
  }),
})

/** Source: api.md "Approvals, activity, audit". */
export const getChain = operation({
  summary: 'Names the chain, its contracts and the audit log, for whoever checks a proof.',
  answer: auditOperations['GET /api/chain'].answer,
  errors: ['CHAIN_UNAVAILABLE'],
  handle:
    ({ audit }: { audit: { chainOverview(): Promise<ChainOverview> } }) =>
    async () => ({ body: { success: true, ...(await audit.chainOverview()) } }),
})
