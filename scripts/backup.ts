/**
 * Backs up the service, which may be running: `npm run backup -- --to FOLDER`, with the settings of the service.
 *
 * Exits with 0 if the backup was written and its log is intact, otherwise with 1, an error message and no backup.
 */
import { parseArgs } from 'node:util'
import { takeBackup } from './backup/takeBackup.ts'
import { runOperation } from './runOperation.ts'

const USAGE = `npm run backup -- --to FOLDER

Copies a consistent snapshot of the database, the generated keys and the registration files into a folder that does not exist
yet or is empty. The service may be running. Set DATA_DIR, REGISTRATION_FILES_DIR, DATABASE_URL and SECRETS_KEY as for the
service.`

await runOperation(async (settings) => {
  const { values } = parseArgs({ options: { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else if (!values.to) throw new Error(`--to is missing.\n\n${USAGE}`)
  else {
    const { log, files } = await takeBackup(settings(), values.to, Date.now())
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    console.log(
      `${values.to}: records ${log.records}, sealed batches ${log.batches}, files ${files.length}, bytes ${bytes}`,
    )
  }
})
