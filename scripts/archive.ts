/**
 * Moves the payload of old audit records into a file: `npm run archive -- --before DATE --to FILE`, with the settings
 * that the service has, which may run.
 *
 * Ends with 0 when the archive is there or nothing is old enough, else with 1 and a sentence.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../server/config.ts'
import { archiveToFile } from './archive/archiveToFile.ts'

const DAY_MS = 24 * 3_600_000
/** Webhooks are delivered and approvals given from what younger records say. */
const KEPT_DAYS = 30

const USAGE = `npm run archive -- --before DATE --to FILE

Moves events and inputs of all audit records before a day (2026-01-31, in UTC, at least ${KEPT_DAYS} days ago) into a file of JSON
lines, each with its proof; \`npm run verify-audit -- --export FILE\` checks it. Entries, proofs and counts stay in the database.`

try {
  const { values } = parseArgs({
    options: { before: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) console.log(USAGE)
  else if (!values.before || !values.to) throw new Error(`--before or --to is missing.\n\n${USAGE}`)
  else {
    const file = resolve(values.to)
    const range = { before: dayOf(values.before), now: Date.now() }
    const made = await archiveToFile(readConfig(process.env), file, range)
    if (made === null) console.log('Nothing that is final on chain is that old.')
    else console.log(`${file}: records ${made.firstSeq} to ${made.lastSeq}, SHA-256 ${made.sha256}`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function dayOf(text: string): number {
  const day = Date.parse(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day)) {
    throw new Error(`--before has to be a day, such as 2026-01-31, and not ${text}.`)
  }
  if (day > Date.now() - KEPT_DAYS * DAY_MS) {
    throw new Error(
      `--before has to be at least ${KEPT_DAYS} days ago: younger records are still needed whole.`,
    )
  }
  return day
}
