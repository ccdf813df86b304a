import { proofDocument } from '@svc/core/audit/proofDocument.ts'
import { jsonLine } from '@svc/core/json/jsonLine.ts'
import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { actsForOf } from '../services/actsForOf.ts'
import { eventSchema } from './eventSchema.ts'
import type { Operation } from './operation.ts'

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
export const getAuditExport: Operation = {
  summary:
    'Exports the caller’s confirmed records with sequence numbers `from` to `to`, each with its proof, as JSON Lines.',
  query: { from: place.optional(), to: place.optional() },
  mediaType: 'application/jsonl',
  answer: proofDocument.extend({ seq: z.int(), recordId: z.string(), event: eventSchema }),
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (services) => async (call) => {
    const range = parseInput(rangeSchema, Object.fromEntries(call.query))
    const { lines, nextFrom } = await services.audit.exportRecords({
      actsFor: actsForOf(call.principal),
      ...range,
    })
    return {
      contentType: 'application/jsonl; charset=utf-8',
      ...(nextFrom === null
        ? {}
        : { headers: { Link: `<${linkTo(nextFrom, call.query.get('to'))}>; rel="next"` } }),
      body: lines.map((line) => `${jsonLine(line)}\n`).join(''),
    }
  },
}

function linkTo(from: number, to: string | null): string {
  return `/api/audit/export?from=${from}${to === null ? '' : `&to=${to}`}`
}
