/**
 * Backs the service up while it runs: `npm run backup -- --to FOLDER`, with the settings that the service has.
 *
 * Ends with 0 when the backup is there and its log is whole, else with 1 and a sentence, and without a backup.
 */
import { parseArgs } from 'node:util'
import { readConfig } from '../server/config.ts'
import { takeBackup } from './backup/takeBackup.ts'

const USAGE = `npm run backup -- --to FOLDER

Copies the database, the generated keys and the registration files into a folder that must not exist yet, as they are at
one moment; the service may run. DATA_DIR, REGISTRATION_FILES_DIR, DATABASE_URL and SECRETS_KEY are those of the service.`

try {
  const { values } = parseArgs({ options: { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else if (!values.to) throw new Error(`--to is missing.\n\n${USAGE}`)
  else {
    const { log, files } = await takeBackup(readConfig(process.env), values.to, Date.now())
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    console.log(
      `${values.to}: ${log.records} records in ${log.batches} sealed batches, ${files.length} files, ${bytes} bytes`,
    )
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
