import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { composeDatabase } from '../../../../server/compose/composeDatabase.ts'
import { readConfig } from '../../../../server/config.ts'
import { createSecretBox, type SealContext } from '../../../../server/external/keys/secretBox.ts'
import { createSecretsKeys } from '../../../../server/external/keys/secretsKeys.ts'
import { createHostTokenOf, deriveHostTokenKey } from '../../../../server/external/tokens/hostTokens.ts'
import { queryDatabase } from '../../../harness/database/queryDatabase.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const MISSING = /^SECRETS_KEY .* is not the key that stored secrets .*: set that key in SECRETS_KEY_FORMER/

describe('prepareSecrets', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  beforeEach(() => {
    folder = createTemporaryFolder()
  })
  afterEach(() => folder.remove())

  /** Opens and closes the database; returns the error that prevented it, else null. */
  async function start(settings: Record<string, string>): Promise<string | null> {
    try {
      await tokenAfterStart(settings)
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  async function tokenAfterStart(settings: Record<string, string>): Promise<string> {
    const config = readConfig({ DATA_DIR: folder.path, ...settings })
    const database = await composeDatabase(config, { warn: () => undefined })
    await database.close()
    return createHostTokenOf(database.hostTokenKey)('SVCO-a', 'a.io')
  }

  const rows = (sql: string, ...values: unknown[]) =>
    queryDatabase(readConfig({ DATA_DIR: folder.path }), sql, values)

  it('accepts the SECRETS_KEY of an earlier start, and refuses another one', async () => {
    expect(await start({ SECRETS_KEY: keyOf(1) })).to.equal(null)
    expect(await start({ SECRETS_KEY: keyOf(2) })).to.match(MISSING)
    expect(await start({ SECRETS_KEY: keyOf(1) })).to.equal(null)
  })

  it('refuses a newly generated key if the old key file was lost', async () => {
    expect(await start({})).to.equal(null)
    expect(await start({})).to.equal(null)
    rmSync(join(folder.path, 'secrets-key'))
    expect(await start({})).to.match(MISSING)
  })

  it('accepts another key together with the former one, and from then on needs both', async () => {
    expect(await start({ SECRETS_KEY: keyOf(1) })).to.equal(null)
    const both = { SECRETS_KEY: keyOf(2), SECRETS_KEY_FORMER: `${keyOf(3)}, ${keyOf(1)}` }
    expect(await start(both)).to.equal(null)
    expect(await start({ SECRETS_KEY: keyOf(2) })).to.match(MISSING)
    const [{ id }] = createSecretsKeys(Buffer.alloc(32, 2))
    expect(await start({ SECRETS_KEY: keyOf(1) }))
      .to.match(MISSING)
      .and.contain(id)
    expect(await start({ SECRETS_KEY: keyOf(1), SECRETS_KEY_FORMER: keyOf(2) })).to.equal(null)
  })

  it('finds the key of a database of an earlier version by what it encrypted', async () => {
    const check = 'secrets-key-check'
    await start({ SECRETS_KEY: keyOf(1) })
    await rows('DELETE FROM secrets_keys')
    await rows('DELETE FROM shared_keys')
    const sealed = createSecretBox(createSecretsKeys(Buffer.alloc(32, 1))).seal(check, check as SealContext)
    await rows('INSERT INTO shared_keys (name, sealed) VALUES (?, ?)', check, sealed)
    expect(await start({ SECRETS_KEY: keyOf(2) })).to.match(MISSING)
    const ofFirst = createHostTokenOf(deriveHostTokenKey(Buffer.alloc(32, 1)))
    const both = { SECRETS_KEY: keyOf(2), SECRETS_KEY_FORMER: keyOf(1) }
    expect(await tokenAfterStart(both)).to.equal(ofFirst('SVCO-a', 'a.io'))
    expect(await rows('SELECT key_id FROM secrets_keys')).to.have.length(2)
    expect(await rows('SELECT name FROM shared_keys')).to.deep.equal([{ name: 'host-token-key' }])
  })

  it('leaves the tokens of domains as they are when the key changes', async () => {
    const token = await tokenAfterStart({ SECRETS_KEY: keyOf(1) })
    const both = { SECRETS_KEY: keyOf(2), SECRETS_KEY_FORMER: keyOf(1) }
    expect(await tokenAfterStart(both)).to.equal(token)
  })

  it('refuses a former key that is not one, and names the setting', async () => {
    expect(await start({ SECRETS_KEY_FORMER: `${keyOf(1)},c2hvcnQ=` })).to.match(
      /^Setting SECRETS_KEY_FORMER: expected 32 bytes in base64/,
    )
  })
})
