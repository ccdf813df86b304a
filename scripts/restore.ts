/**
 * Restores a backup: `npm run restore -- --from FOLDER --to DATA_DIR`.
 *
 * Exits with 0 if the data is restored and its log has the sealed roots, otherwise with 1 and an error message.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restoreBackup } from './backup/restoreBackup.ts'
import { runOperation } from './runOperation.ts'

const USAGE = `npm run restore -- --from FOLDER --to DATA_DIR [--new-log]

Checks a backup and restores it into a data folder that does not exist yet or is empty, and with DATABASE_URL into an empty
database. If the service had SECRETS_KEY as a setting, set it to the same key.

  --new-log   Starts a new audit log on chain, for a backup that lacks records that are already anchored. All records of the
              backup are anchored again; whoever has a proof of a record anchored after the backup can still verify it.`

await runOperation(async (settings) => {
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
    const { log, createdAt } = await restoreBackup(settings(), { from, to, beginsNewLog })
    const dataDir = resolve(to)
    console.log(
      `Restored ${log.records} records as of ${createdAt}; sealed batches with verified roots: ${log.batches}.`,
    )
    console.log(`Start with DATA_DIR=${dataDir}`)
  }
})
