import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { composeRetention } from '../../../server/compose/composeRetention.ts'
import { readConfig } from '../../../server/config.ts'
import { createLogger } from '../../../server/external/telemetry/logger.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../harness/database/openTemporaryDatabase.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'

const DAY_SECONDS = 86_400
const NOW_SECONDS = 1_900_000_000

describe('composeRetention', () => {
  let temporary: TemporaryDatabase
  const folder = createTemporaryFolder()
  before(async () => {
    temporary = await openTemporaryDatabase()
  })
  after(async () => {
    await temporary?.remove()
    folder.remove()
  })

  it('deletes mails in files after 30 days, and no other file', async () => {
    const mails = join(folder.path, 'mail')
    mkdirSync(mails)
    for (const [name, days] of [
      ['old.eml', 31],
      ['draft.eml.tmp', 31],
      ['recent.eml', 29],
      ['notes.txt', 31],
    ] as const) {
      writeFileSync(join(mails, name), 'To: ada@example.com')
      utimesSync(join(mails, name), NOW_SECONDS, NOW_SECONDS - days * DAY_SECONDS)
    }
    const retention = composeRetention({
      db: temporary.db,
      config: readConfig({ DATA_DIR: folder.path }),
      clock: () => NOW_SECONDS * 1000,
      log: createLogger({ level: 'silent' }),
    })
    retention.start()
    await waitUntil(async () => (readdirSync(mails).length === 2 ? true : null))
    await retention.stop()
    expect(readdirSync(mails).sort()).to.deep.equal(['notes.txt', 'recent.eml'])
  })
})
