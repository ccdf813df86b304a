import { expect } from 'chai'
import { createOrganisation, type Organisation, registerEndpoint } from '../builders/participants.ts'
import {
  createPostgresDatabase,
  type PostgresServer,
  startPostgres,
  testsPostgres,
} from '../harness/database/postgres.ts'
import { queryPostgres } from '../harness/database/queryPostgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

describe('a service whose lists are read from a standby', function () {
  this.timeout(120_000)
  let primary: PostgresServer
  let standby: PostgresServer
  let service: StartedService
  let shop: Organisation
  let svceId: string
  let replicaUrl: string

  before(async function () {
    if (!testsPostgres) this.skip()
    primary = await startPostgres()
    const { url } = await createPostgresDatabase(primary.url)
    standby = await startPostgres({ standbyOf: primary })
    replicaUrl = new URL(new URL(url).pathname, standby.url).href
    const SECRETS_KEY = Buffer.alloc(32, 3).toString('base64')
    service = await startService({
      settings: { DATABASE_URL: url, READ_DATABASE_URL: replicaUrl, SECRETS_KEY },
    })
    shop = await createOrganisation(service.baseUrl)
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
  })
  after(async () => {
    await service?.stop()
    for (const server of [standby, primary]) server?.stop()
  })

  const get = (path: string, bearer = shop.apiKey) => api(service.baseUrl, 'GET', path, { bearer })
  /** Records a decision, and returns whether the list and the export of the caller have it at once. */
  async function decideAndRead(): Promise<boolean[]> {
    const body = { counterpartyId: svceId, purpose: 'shopping:buy' }
    const asked = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body,
    })
    const [list, lines] = await Promise.all([
      get('/api/activity?limit=1'),
      fetch(`${service.baseUrl}/api/activity/export`, {
        headers: { authorization: `Bearer ${shop.apiKey}` },
      }),
    ])
    const id: string = asked.body.auditRecordId
    return [JSON.stringify(list.body).includes(id), (await lines.text()).includes(id)]
  }
  /** Registers an endpoint, and returns whether the list of a person has it at once. */
  async function registerAndRead(): Promise<boolean> {
    const id = await registerEndpoint(service.baseUrl, shop.apiKey)
    return JSON.stringify((await get('/api/endpoints', shop.accessToken)).body).includes(id)
  }
  const readsOfStandby = async () => {
    const sql = `SELECT sum(idx_scan)::int AS reads FROM pg_stat_user_indexes`
    return (await queryPostgres<{ reads: number }>(replicaUrl, sql))[0]?.reads ?? 0
  }
  const replicaCheck = async () => (await get('/api/health')).body.checks.replica

  it('shows people at once what they have written', async () => {
    const before = await readsOfStandby()
    for (let nth = 0; nth < 8; nth += 1) {
      expect(await decideAndRead()).to.deep.equal([true, true])
      expect(await registerAndRead()).to.equal(true)
    }
    await waitUntil(async () => ((await decideAndRead()) && (await readsOfStandby()) > before ? true : null))
    expect(await replicaCheck()).to.deep.include({ status: 'pass' })
  })

  it('does so while the standby is behind, and decides on facts of the primary', async () => {
    await queryPostgres(standby.url, 'SELECT pg_wal_replay_pause()')
    for (let nth = 0; nth < 3; nth += 1) {
      expect(await decideAndRead()).to.deep.equal([true, true])
      expect(await registerAndRead()).to.equal(true)
    }
    await waitUntil(async () => ((await replicaCheck()).observed.behindBytes > 0 ? true : null))
    await queryPostgres(standby.url, 'SELECT pg_wal_replay_resume()')
  })

  it('does so without the standby, and says so in the health check', async () => {
    await standby.kill()
    expect(await decideAndRead()).to.deep.equal([true, true])
    expect(await registerAndRead()).to.equal(true)
    await waitUntil(async () =>
      (await replicaCheck()).detail?.startsWith('reads go to the primary') ? true : null,
    )
    expect((await get('/api/health')).body).to.deep.include({ status: 'warn' })
  })
})
