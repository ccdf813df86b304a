/**
 * Moves the payload of old audit records into a file: `npm run archive -- --before DATE --to FILE`, with the settings
 * of the service, which may be running.
 *
 * Exits with 0 if the archive was written or nothing is old enough, otherwise with 1 and an error message.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { archiveToFile } from './archive/archiveToFile.ts'
import { runOperation } from './runOperation.ts'

const DAY_MS = 24 * 3_600_000
/** Younger records stay in the database, because webhook deliveries and approvals still read them. */
const AGE_MIN_DAYS = 30

const USAGE = `npm run archive -- --before DATE --to FILE

Moves the events and inputs of all audit records before a day (such as 2026-01-31, in UTC, at least ${AGE_MIN_DAYS} days ago)
into a JSON Lines file, each with its proof; \`npm run verify-audit -- --export FILE\` checks the file. Entries, proofs and
counts stay in the database.`

await runOperation(async (settings) => {
  const { values } = parseArgs({
    options: { before: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) console.log(USAGE)
  else if (!values.before || !values.to) throw new Error(`--before or --to is missing.\n\n${USAGE}`)
  else {
    const file = resolve(values.to)
    const range = { before: parseDay(values.before), now: Date.now() }
    const archive = await archiveToFile(settings(), file, range)
    if (archive === null) console.log('No record before that day is final on chain and not yet archived.')
    else console.log(`${file}: records ${archive.firstSeq} to ${archive.lastSeq}, SHA-256 ${archive.sha256}`)
  }
})

function parseDay(text: string): number {
  const day = Date.parse(`${text}T00:00:00Z`)
  // The 31st of February is parsed, as a day of March.
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== text) {
    throw new Error(`--before must be a day such as 2026-01-31, not ${text}.`)
  }
  if (day > Date.now() - AGE_MIN_DAYS * DAY_MS) {
    throw new Error(`--before must be at least ${AGE_MIN_DAYS} days ago: younger records are still in use.`)
  }
  return day
}
