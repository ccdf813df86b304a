import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { composeDatabase } from '../../../server/compose/composeDatabase.ts'
import { readConfig } from '../../../server/config.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')

describe('checkSecretsKey', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  beforeEach(() => {
    folder = createTemporaryFolder()
  })
  afterEach(() => folder.remove())

  /** Opens and closes the database; returns the error that prevented it, else null. */
  async function start(settings: Record<string, string>): Promise<string | null> {
    const config = readConfig({ DATA_DIR: folder.path, ...settings })
    try {
      await (await composeDatabase(config, { warn: () => undefined })).close()
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  it('accepts the SECRETS_KEY of an earlier start, and refuses another one', async () => {
    expect(await start({ SECRETS_KEY: keyOf(1) })).to.equal(null)
    expect(await start({ SECRETS_KEY: keyOf(2) })).to.match(/^SECRETS_KEY .* is not the key/)
    expect(await start({ SECRETS_KEY: keyOf(1) })).to.equal(null)
  })

  it('refuses a newly generated key if the old key file was lost', async () => {
    expect(await start({})).to.equal(null)
    expect(await start({})).to.equal(null)
    rmSync(join(folder.path, 'secrets-key'))
    expect(await start({})).to.match(/is not the key/)
  })
})
