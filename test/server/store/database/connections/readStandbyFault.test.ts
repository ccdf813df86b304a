import { join } from 'node:path'
import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { composeDatabase } from '../../../../../server/compose/composeDatabase.ts'
import { readConfig } from '../../../../../server/config.ts'
import { readStandbyFault } from '../../../../../server/store/database/connections/readStandbyFault.ts'
import { type PostgresServer, startPostgres, testsPostgres } from '../../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../../harness/database/queryPostgres.ts'
import { createTemporaryFolder } from '../../../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'

const UNPRIVILEGED = 'clerk'

describe('readStandbyFault', function () {
  this.timeout(60_000)
  const folder = createTemporaryFolder()
  const open: Knex[] = []
  let primary: PostgresServer
  let standby: PostgresServer | undefined

  before(async function () {
    if (!testsPostgres) this.skip()
    primary = await startPostgres()
    await queryPostgres(primary.url, `CREATE ROLE ${UNPRIVILEGED} LOGIN`)
    await queryPostgres(primary.url, `GRANT ALL ON DATABASE postgres TO ${UNPRIVILEGED}`)
    await queryPostgres(primary.url, `GRANT ALL ON SCHEMA public TO ${UNPRIVILEGED}`)
  })
  after(async () => {
    await Promise.all(open.map((query) => query.destroy()))
    standby?.stop()
    primary?.stop()
    folder.remove()
  })

  function urlOf(user: string, parameters = ''): string {
    const url = new URL(primary.url)
    url.username = user
    if (parameters !== '') url.searchParams.set('options', parameters)
    return url.href
  }

  function readFault(user: string, parameters = ''): Promise<string | null> {
    const query = knex({ client: 'pg', connection: urlOf(user, parameters) })
    open.push(query)
    return readStandbyFault(query)
  }

  /** Starts the database part of a service; returns what it logged and what the health reports. */
  async function startDatabase(user: string) {
    const warnings: string[] = []
    const settings = {
      SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
      DATA_DIR: join(folder.path, user),
    }
    const config = readConfig({ DATABASE_URL: urlOf(user), ...settings })
    const database = await composeDatabase(config, {
      warn: (...given: unknown[]) => void warnings.push(String(given[1])),
    })
    const probed = await database.probe()
    await database.close()
    return { warnings, probed }
  }

  it('finds nothing without standbys', async () => {
    expect(await readFault('svc')).to.equal(null)
    expect(await readFault(UNPRIVILEGED)).to.equal(null)
  })

  it('reports standbys of which none is synchronous at the start and to the health, whatever the role may read', async () => {
    standby = await startPostgres({ standbyOf: primary })
    await waitUntil(() => readFault('svc'))
    for (const user of [UNPRIVILEGED, 'svc']) {
      const { warnings, probed } = await startDatabase(user)
      expect(probed).to.match(/standbys and none is synchronous.*: set synchronous_standby_names$/)
      expect(warnings).to.deep.equal([probed])
    }
  })

  it('finds nothing once commits wait for a standby, unless they wait for the local disk only', async () => {
    await queryPostgres(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await queryPostgres(primary.url, 'SELECT pg_reload_conf()')
    await waitUntil(async () => ((await readFault('svc')) === null ? true : null))
    expect((await startDatabase('svc')).warnings).to.deep.equal([])
    expect(await readFault(UNPRIVILEGED)).to.equal(null)
    expect(await readFault('svc', '-c synchronous_commit=local')).to.contain('synchronous_commit=local')
  })

  it('finds nothing if the role may not read the views', async () => {
    await queryPostgres(primary.url, 'REVOKE SELECT ON pg_stat_replication FROM PUBLIC')
    expect(await readFault(UNPRIVILEGED)).to.equal(null)
  })
})
