import pg from 'pg'
import { openSequencer } from '../../server/store/audit/sequencer.postgres.ts'
import { median } from '../load/median.ts'
import type { ReportRow } from '../report/benchReport.ts'
import { readCpuSeconds } from './readCpuSeconds.ts'

const ROUNDS = 3
/** As many as a busy database commits in some seconds. */
const RECORDS = 100_000
const WANTED = 100_000

/**
 * Measures how fast one sequencer gives places in the log to records that wait for them: copies of the newest verification
 * of a database that nothing else uses any more.
 *
 * Source: docs/scaling.md.
 */
export async function measureSequencer(databaseUrl: string): Promise<ReportRow[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const sequencer = openSequencer(databaseUrl)
  const rates: number[] = []
  const micros: number[] = []
  try {
    await sequencer.placeAll()
    const { rows } = await client.query(FIND_SESSION)
    const session = rows.map(({ pid }) => pid)
    for (let round = 0; round < ROUNDS; round += 1) {
      await client.query(COPY_NEWEST, [RECORDS])
      const [begin, cpuBefore] = [performance.now(), readCpuSeconds(session)]
      await sequencer.placeAll()
      rates.push(RECORDS / ((performance.now() - begin) / 1_000))
      micros.push(((readCpuSeconds(session) - cpuBefore) * 1_000_000) / RECORDS)
    }
  } finally {
    await sequencer.close()
    await client.end()
  }
  return [
    {
      name: `one sequencer, ${RECORDS.toLocaleString('en')} records that wait for their places`,
      value: median(rates),
      unit: 'records/s',
      range: [Math.min(...rates), Math.max(...rates)],
      target: { atLeast: WANTED },
    },
    {
      name: 'one sequencer, processor time of its session for a record',
      value: median(micros),
      unit: 'µs',
      range: [Math.min(...micros), Math.max(...micros)],
    },
  ]
}

const FIND_SESSION = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'svc-sequencer'`
const REST = `recorded_at, event_type, owner_id, counterparty_owner_id, agent_id, endpoint_id, session_id, event_data, inputs,
  inputs_salt, entry`
const COPY_NEWEST = `INSERT INTO pending_records (record_id, ${REST})
  SELECT gen_random_uuid()::text, ${REST} FROM generate_series(1, $1::int),
    (SELECT * FROM audit_records WHERE event_type = 'verification.completed' ORDER BY seq DESC LIMIT 1) AS newest`
