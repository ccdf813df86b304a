import type { QueryConfig } from 'pg'
import { originsOf } from '../audit/recordOriginStore.ts'
import type { Commitment } from './recorder.ts'

type Made = { commitment: Pick<Commitment<unknown>, 'records'>; traceParent?: string | undefined }

/** Builds the statement that stores in which spans the records of a group were made; none if nobody traces. */
export function buildOriginStatements(made: readonly Made[]): QueryConfig[] {
  const origins = made.flatMap(({ commitment: { records }, traceParent }) =>
    traceParent === undefined ? [] : originsOf(records, traceParent),
  )
  if (origins.length === 0) return []
  const values = COLUMNS.map((column) => origins.map((origin) => origin[column]))
  return [{ name: 'insert_origins', text: INSERT_ORIGINS, values }]
}

const COLUMNS = ['recordId', 'traceParent', 'recordedAt'] as const

const INSERT_ORIGINS = `INSERT INTO record_origins (record_id, trace_parent, recorded_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) ON CONFLICT DO NOTHING`
