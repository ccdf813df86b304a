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
import { LOG_QUERY, type LogParts, readLogNumber } from './logNumber.ts'

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
    'Exports the caller’s confirmed records with indexes `from` to `to` in a log as JSON Lines, each with its proof.',
  query: { from: seq.optional(), to: seq.optional(), ...LOG_QUERY },
  mediaType: 'application/jsonl',
  answer: auditOperations['GET /api/audit/export'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: (parts: LogParts<ExportRecordsDeps>) => async (call) => {
    const range = parseInput(rangeSchema, Object.fromEntries(call.query))
    const number = readLogNumber(call.query)
    const { lines, nextFrom } = await exportRecords(await parts.audit.log(number), {
      actsFor: actsForOf(call.principal),
      ...range,
    })
    return {
      contentType: 'application/jsonl; charset=utf-8',
      ...(nextFrom === null
        ? {}
        : { headers: { Link: `<${linkTo(nextFrom, call.query.get('to'), number)}>; rel="next"` } }),
      body: lines.map((line) => `${writeJsonLine(line)}\n`).join(''),
    }
  },
})

function linkTo(from: number, to: string | null, log: number): string {
  return `/api/audit/export?from=${from}${to === null ? '' : `&to=${to}`}${log === 0 ? '' : `&log=${log}`}`
}

const size = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
const sizesSchema = z.object({ from: size, to: size.optional() })

/** Source: RFC 9162 §2.1.4. */
export const getAuditConsistency = operation({
  summary:
    'Proves that an audit log of size `to` begins with the log of size `from`; `to` defaults to the anchored size.',
  query: { from: size, to: size.optional(), ...LOG_QUERY },
  answer: auditOperations['GET /api/audit/consistency'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'NOT_ANCHORED_YET', 'SERVICE_UNAVAILABLE'],
  isPublicDocument: true,
  handle: (parts: LogParts<ProveConsistencyDeps>) => async (call) => {
    const { from, to } = parseInput(sizesSchema, Object.fromEntries(call.query))
    const log = await parts.audit.log(readLogNumber(call.query))
    return { body: { success: true, ...(await proveConsistency(log, { from, to: to ?? null })) } }
  },
})

/** Source: C2SP tlog-checkpoint. */
export const getAuditCheckpoint = operation({
  summary:
    'Returns the newest tree head of a log that is final on chain, as a checkpoint signed by the log (C2SP tlog-checkpoint).',
  query: LOG_QUERY,
  mediaType: 'text/plain',
  answer: auditOperations['GET /api/audit/checkpoint'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'NOT_ANCHORED_YET'],
  isPublicDocument: true,
  handle: (parts: LogParts<ReadCheckpointDeps>) => async (call) => ({
    contentType: 'text/plain; charset=utf-8',
    body: await readCheckpoint(await parts.audit.log(readLogNumber(call.query))),
  }),
})

/** Source: C2SP signed-note "Ed25519 signatures". */
export const getAuditKey = operation({
  summary: 'Returns the public key for verifying checkpoints of an audit log.',
  query: LOG_QUERY,
  answer: auditOperations['GET /api/audit/key'].answer,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  isPublicDocument: true,
  handle: (parts: LogParts<ReadLogKeyDeps>) => async (call) => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { success: true, ...(await readLogKey(await parts.audit.log(readLogNumber(call.query)))) },
  }),
})

export const getChain = operation({
  summary: 'Returns the identifiers of the chain, its contracts and the audit logs, for verifying proofs.',
  answer: auditOperations['GET /api/chain'].answer,
  errors: ['CHAIN_UNAVAILABLE'],
  isPublicDocument: true,
  handle:
    ({ audit }: { audit: { chainOverview(): Promise<ChainOverview> } }) =>
    async () => ({ body: { success: true, ...(await audit.chainOverview()) } }),
})
