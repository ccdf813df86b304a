import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { rotateStoredKey } from '../../../scripts/rotate/rotateStoredKey.ts'
import { rotateStoredSecrets } from '../../../scripts/rotate/rotateStoredSecrets.ts'
import { type ComposedDatabase, composeDatabase } from '../../../server/compose/composeDatabase.ts'
import { readConfig } from '../../../server/config.ts'
import { toRingKey } from '../../../server/external/keys/keyRing.ts'
import { createProcessSettingsStore } from '../../../server/store/database/processSettingsStore.ts'
import { createPostgresDatabase, testsPostgres } from '../../harness/database/postgres.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'

const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64')
const KEYS = ['access-token-key.json', 'audit-log-key.json']

describe('composeDatabase over PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  const opened: ComposedDatabase[] = []
  const folders: { path: string; remove(): void }[] = []

  before(async function () {
    if (!testsPostgres) this.skip()
    database = await createPostgresDatabase()
  })
  after(async () => {
    await Promise.all(opened.map(({ close }) => close()))
    for (const { remove } of folders) remove()
    await database?.drop()
  })

  async function open(settings: Record<string, string> = {}) {
    const folder = createTemporaryFolder()
    folders.push(folder)
    const config = readConfig({ DATABASE_URL: database.url, SECRETS_KEY, DATA_DIR: folder.path, ...settings })
    const warnings: string[] = []
    const one = await composeDatabase(config, {
      warn: (...given: unknown[]) => void warnings.push(String(given[1])),
    })
    opened.push(one)
    return { one, warnings, keys: KEYS.map((name) => readFileSync(join(folder.path, name), 'utf8')) }
  }

  it('gives every process the same generated keys, and stores none in the clear', async () => {
    const [first, second] = await Promise.all([open(), open()])
    const third = await open()
    expect(second.keys).to.deep.equal(first.keys)
    expect(third.keys).to.deep.equal(first.keys)
    const stored = JSON.stringify(await first.one.db.query('shared_keys').select())
    for (const key of first.keys) expect(stored).to.not.contain(JSON.parse(key).d)
  })

  it('lets the first signing keys be listed from a folder that has none of their files', async () => {
    const { keys } = await open()
    const empty = createTemporaryFolder()
    folders.push(empty)
    const config = readConfig({ DATABASE_URL: database.url, SECRETS_KEY, DATA_DIR: empty.path })
    const action = { kind: 'list' } as const
    const listed = await rotateStoredKey(config, { purpose: 'access-tokens', action, now: Date.now() })
    expect(listed).to.equal(
      `${toRingKey(JSON.parse(keys[0] ?? ''), { signsFrom: 0, formerUntil: 0 }).kid}  signs`,
    )
    expect(existsSync(join(empty.path, KEYS[0] ?? ''))).to.equal(false)
  })

  it('refuses a process with another SECRETS_KEY, with a message for the operator', async () => {
    await open()
    const refusal = await open({ SECRETS_KEY: Buffer.alloc(32, 2).toString('base64') }).catch(
      (error: Error) => error.message,
    )
    expect(refusal).to.match(
      /^SECRETS_KEY .* is not the key that stored secrets were encrypted with, [0-9a-f]{12}: /,
    )
  })

  it('accepts a signature nonce once across all processes', async () => {
    const [first, second] = [await open(), await open()]
    const use = ({ one }: typeof first, now = 1) => one.replays?.use('nonce', 1_000, now)
    const uses = await Promise.all([use(first), use(second), use(first)])
    expect(uses.filter(Boolean)).to.have.length(1)
    expect(await use(second, 2_000)).to.equal(true)
  })

  it('refuses a server that may lose acknowledged commits', async () => {
    const url = new URL(database.url)
    url.searchParams.set('options', '-c synchronous_commit=off')
    const refusal = await open({ DATABASE_URL: url.href }).catch((error: Error) => error.message)
    expect(refusal).to.contain('synchronous_commit=off and may lose what it has answered')
  })

  it('warns at the start and in health while processes run with different PUBLIC_URL or AUDIT_LOGS', async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()))
    const { one, warnings: none } = await open({ PUBLIC_URL: 'https://a.example' })
    await waitUntil(async () => (await one.db.query('process_settings').first('process')) ?? null)
    expect(await one.probe()).to.equal(null)
    const { one: other, warnings } = await open({ PUBLIC_URL: 'https://b.example', AUDIT_LOGS: '2' })
    const fault = await waitUntil(() => other.probe())
    expect(fault).to.equal(
      'processes of this database run with different values of PUBLIC_URL (https://a.example, https://b.example) and ' +
        'AUDIT_LOGS (1, 2): give all of them the same',
    )
    expect(warnings).to.deep.equal([fault])
    await other.close()
    opened.splice(opened.indexOf(other), 1)
    expect(none).to.deep.equal([])
    const third = await open({ PUBLIC_URL: 'https://a.example' })
    await waitUntil(async () => ((await one.db.query('process_settings')).length === 2 ? true : null))
    expect(await third.one.probe()).to.equal(null)
  })

  it('warns while processes work with different contracts, configured or of the database', async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()))
    const [known, another] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const
    const { one: following } = await open()
    const shown = () => following.db.query('process_settings').select('contracts')
    await waitUntil(async () => ((await shown()).length === 1 ? true : null))
    await following.db.query('process_settings').update({ contracts: null })
    const { one: configured } = await open({ IDENTITY_REGISTRY_ADDRESS: another })
    await waitUntil(async () => ((await shown()).length === 2 ? true : null))
    // Nothing is deployed yet, and a process of an earlier release does not say what it works with.
    expect(await configured.probe()).to.equal(null)
    await following.db.query('chain_deployments').insert({
      ...{ chain_id: 1, genesis_hash: '0x', identity_registry: known, audit_log: known, log_id: '0x' },
      ...{ deployed_block: 0, next_nonce: 0, created_at: 1 },
    })
    await following.close()
    opened.splice(opened.indexOf(following), 1)
    const { warnings } = await open({ AUDIT_LOG_ADDRESS: another })
    const expected = `processes of this database run with different values of IDENTITY_REGISTRY_ADDRESS (${known}, ${another}): give all of them the same`
    await waitUntil(async () => (warnings.length > 0 ? true : null))
    expect(warnings).to.deep.equal([expected])
    await configured.db.query('chain_deployments').delete()
  })

  it('shows with which key every process encrypts, and remembers it while the process runs', async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()))
    const FORMER = Buffer.alloc(32, 9).toString('base64')
    const { one: current } = await open({ SECRETS_KEY_FORMER: FORMER })
    const { one: former } = await open({ SECRETS_KEY: FORMER, SECRETS_KEY_FORMER: SECRETS_KEY })
    const rotate = async () => {
      const config = readConfig({
        ...{ DATABASE_URL: database.url, SECRETS_KEY, SECRETS_KEY_FORMER: FORMER },
        DATA_DIR: folders[0]?.path ?? '',
      })
      return rotateStoredSecrets(config)
    }
    const idsOf = () => createProcessSettingsStore(current.db.query).liveSecretsKeys()
    await waitUntil(async () => ((await idsOf()).length === 2 ? true : null))
    const { keyId, stillUsed, isDone } = await rotate()
    expect(isDone).to.equal(false)
    expect(stillUsed.concat(keyId)).to.have.members(await idsOf())
    await former.close()
    opened.splice(opened.indexOf(former), 1)
    expect(await rotate()).to.include({ isDone: true })
    await current.db.query('process_settings').insert({ process: 'earlier', public_url: '', audit_logs: 1 })
    expect(await idsOf()).to.have.members([keyId, null])
    expect(await rotate()).to.include({ isDone: false })
  })

  it('requires SECRETS_KEY, which no process can generate for the others', () => {
    expect(() => readConfig({ DATABASE_URL: 'postgres://db/svc' })).to.throw(
      'Setting SECRETS_KEY is required',
    )
    expect(() => readConfig({ DATABASE_URL: 'mysql://db/svc', SECRETS_KEY })).to.throw('Setting DATABASE_URL')
  })
})
