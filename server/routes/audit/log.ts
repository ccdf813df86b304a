import { auditOperations } from '@svc/core/contract/audit.ts'
import { writeJsonLine } from '@svc/core/json.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { actsForOf } from '../../services/actsForOf.ts'
import { type ExportRecordsDeps, exportRecords } from '../../services/audit/exportRecords.ts'
import { type ProveConsistencyDeps, proveConsistency } from '../../services/audit/proveConsistency.ts'
import {
  type ReadCheckpointDeps,
  type ReadLogKeyDeps,
  readCheckpoint,
  readLogKey,
} from '../../services/audit/readCheckpoint.ts'
import type { ChainOverview } from '../../services/chain/readChainOverview.ts'
import { operation } from '../operation.ts'

const seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
/** Only digits: an empty `to` is not 0, and the text becomes part of a header. */
const seqText = z
  .string()
  .regex(/^\d{1,16}$/, 'expected a whole number')
  .transform(Number)
  .pipe(z.number().max(Number.MAX_SAFE_INTEGER))
const rangeSchema = z
  .object({ from: seqText.default(0), to: seqText.default(Number.MAX_SAFE_INTEGER) })
  .refine(({ from, to }) => from <= to, {
    path: ['from'],
    params: { code: 'too_big' },
    message: 'is greater than the end of the range',
  })

/**
 * At most 500 lines; the `Link` header with `rel="next"` (RFC 8288) points to the rest.
 *
 * Source: docs/auditing.md.
 */
export const getAuditExport = operation({
  summary:
    'Exports the caller’s confirmed records with sequence numbers `from` to `to` as JSON Lines, each with its proof.',
  query: { from: seq.optional(), to: seq.optional() },
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

/** Source: RFC 9162 §2.1.4. */
export const getAuditConsistency = operation({
  summary:
    'Proves that the audit log of size `to` begins with the log of size `from`; `to` defaults to the anchored size.',
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
    'Returns the newest tree head that is final on chain, as a checkpoint signed by the log (C2SP tlog-checkpoint).',
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
  summary: 'Returns the public key for verifying checkpoints of the audit log.',
  answer: auditOperations['GET /api/audit/key'].answer,
  errors: [],
  handle: (parts: { audit: ReadLogKeyDeps }) => async () => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { success: true, ...(await readLogKey(parts.audit)) },
  }),
})

export const getChain = operation({
  summary: 'Returns the identifiers of the chain, its contracts and the audit log, for verifying proofs.',
  answer: auditOperations['GET /api/chain'].answer,
  errors: ['CHAIN_UNAVAILABLE'],
  handle:
    ({ audit }: { audit: { chainOverview(): Promise<ChainOverview> } }) =>
    async () => ({ body: { success: true, ...(await audit.chainOverview()) } }),
})
