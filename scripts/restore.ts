/**
 * Puts a backup back: `npm run restore -- --from FOLDER --to DATA_DIR`.
 *
 * Ends with 0 when the data is there and its log is the one that was sealed, else with 1 and a sentence.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../server/config.ts'
import { restoreBackup } from './backup/restoreBackup.ts'

const USAGE = `npm run restore -- --from FOLDER --to DATA_DIR [--new-log]

Checks a backup and puts it into a data folder that does not exist yet or is empty, and with DATABASE_URL into a database that
is empty. SECRETS_KEY is that of the service, if it was a setting.

  --new-log   Goes on under another audit log on chain: for a backup that lacks records which are anchored already. All
              records are anchored anew; what was anchored after the backup stays provable by whoever holds it.`

try {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      'new-log': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) console.log(USAGE)
  else if (!values.from || !values.to) throw new Error(`--from or --to is missing.\n\n${USAGE}`)
  else {
    const { from, to } = values
    const beginsNewLog = values['new-log'] === true
    const { log, createdAt } = await restoreBackup(readConfig(process.env), { from, to, beginsNewLog })
    const dataDir = resolve(to)
    console.log(
      `${log.records} records of ${createdAt} are back; ${log.batches} sealed batches have the roots they had.`,
    )
    console.log(`Start with DATA_DIR=${dataDir} REGISTRATION_FILES_DIR=${dataDir}/registration-files`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
