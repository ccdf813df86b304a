import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { composeDatabase } from '../../../../server/compose/composeDatabase.ts'
import { readConfig } from '../../../../server/config.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

describe('the files of the embedded database', () => {
  it('can be read by their owner only, even in a folder that everyone can read', async () => {
    const folder = createTemporaryFolder()
    chmodSync(folder.path, 0o755)
    const config = readConfig({ DATA_DIR: folder.path })
    const composed = await composeDatabase(config, { warn: () => undefined })
    try {
      await composed.db.query.raw('CREATE TABLE written (n INTEGER)')
      const modes = readdirSync(folder.path).map((name) => [
        name,
        statSync(join(folder.path, name)).mode & 0o777,
      ])
      expect(modes.map(([name]) => name)).to.include.members([
        'feed.sqlite',
        'lock.sqlite',
        'secrets-key',
        'svc.sqlite',
        'svc.sqlite-wal',
      ])
      expect(modes).to.deep.equal(modes.map(([name]) => [name, 0o600]))
    } finally {
      await composed.close()
      folder.remove()
    }
  })
})
