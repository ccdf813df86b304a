import { activityOperations } from '@svc/core/contract/activity.ts'
import { ACTIVITY_COLUMNS, type ActivityColumn } from '@svc/core/contract/activityColumns.ts'
import { writeCsvLine } from '@svc/core/csv/writeCsvLine.ts'
import { writeJsonLine } from '@svc/core/json.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { activityCells } from '../../services/activity/activityCells.ts'
import { exportActivity } from '../../services/activity/exportActivity.ts'
import type { ActivityQuery, ListActivityDeps } from '../../services/activity/listActivity.ts'
import { actsForOf } from '../../services/actsForOf.ts'
import { operation } from '../operation.ts'
import { activityQuery, type ReadActivityQueryDeps } from './activityQuery.ts'

const column = z.enum(ACTIVITY_COLUMNS)
const schema = z.object({
  format: z.enum(['csv', 'jsonl']).default('jsonl'),
  /** Names of columns with commas between them, in the order of the cells. */
  columns: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(column).max(ACTIVITY_COLUMNS.length))
    .default([...ACTIVITY_COLUMNS]),
})

const MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
}
/** How long a client may leave sent data unread before the export ends. */
const STALL_MS = 30_000

/** Source: RFC 4180; https://jsonlines.org. */
export const getActivityExport = operation({
  summary:
    'Exports what `GET /api/activity` lists with the same filters, in its order: at most 10,000 events, as JSON Lines or as CSV with the given columns.',
  query: { ...activityQuery.shape, ...activityQuery.listShape, ...schema.shape },
  mediaType: 'application/jsonl',
  otherMediaTypes: { 'text/csv': z.string() },
  answer: activityOperations['GET /api/activity/export'].answer,
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { activity: ListActivityDeps & ReadActivityQueryDeps }) => async (call) => {
    const { format, columns } = parseInput(schema, Object.fromEntries(call.query))
    const filter = await activityQuery.readList(parts.activity, call.query)
    const query = { ...filter, actsFor: actsForOf(call.principal) }
    return {
      contentType: MEDIA_TYPES[format],
      headers: { 'Content-Disposition': `attachment; filename="activity.${format}"` },
      body: null,
      stream: {
        stallMs: STALL_MS,
        chunks: (signal) =>
          format === 'csv'
            ? writeCsv(parts.activity, query, columns, signal)
            : writeLines(parts.activity, query, signal),
      },
    }
  },
})

type ExportQuery = Omit<ActivityQuery, 'limit' | 'cursor'>

async function* writeCsv(
  deps: ListActivityDeps,
  query: ExportQuery,
  columns: readonly ActivityColumn[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { headers, cellsOf } = activityCells(columns)
  yield writeCsvLine(headers)
  for await (const events of exportActivity(deps, query, signal)) {
    yield events.map((event) => writeCsvLine(cellsOf(event))).join('')
  }
}

async function* writeLines(
  deps: ListActivityDeps,
  query: ExportQuery,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const events of exportActivity(deps, query, signal)) {
    yield events.map((event) => `${writeJsonLine(event)}\n`).join('')
  }
}
