import { expect } from 'chai'
import { createAgentProver } from '../builders/createAgentProver.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import {
  createPostgresDatabase,
  type PostgresServer,
  startPostgres,
  testsPostgres,
} from '../harness/database/postgres.ts'
import { queryPostgres } from '../harness/database/queryPostgres.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const CONNECTIONS = 16
const FAIL_OVERS = { none: 1, short: 2, full: 20 }[faultMode]
const SUSPEND = `UPDATE agents SET status = 'suspended' WHERE svc_id = ?`

describe('a primary database killed under load, with a synchronous standby that is promoted', function () {
  this.timeout(60_000 + FAIL_OVERS * 30_000)
  let primary: PostgresServer
  let standby: PostgresServer
  let former: PostgresServer
  let service: StartedService
  let shop: Organisation
  let svceId: string
  let databaseName: string
  const answered: string[] = []
  const statuses = new Map<number, number>()

  before(async function () {
    if (!testsPostgres) this.skip()
    primary = await startPostgres()
    databaseName = new URL((await createPostgresDatabase(primary.url)).url).pathname
    standby = await startPostgres({ standbyOf: primary })
    await waitForStandby()
    const hosts = [primary, standby].map(({ url }) => new URL(url).host).join(',')
    const DATABASE_URL = `postgres://svc@${hosts}${databaseName}?target_session_attrs=read-write`
    const settings = { DATABASE_URL, SECRETS_KEY: Buffer.alloc(32, 3).toString('base64') }
    service = await startService({ settings })
    shop = await createOrganisation(service.baseUrl)
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
  })
  after(async () => {
    await service?.stop()
    for (const server of new Set([primary, standby, former])) server?.stop()
  })

  /** Makes the commits of the primary wait for the standby. */
  async function waitForStandby(): Promise<void> {
    await queryPostgres(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await queryPostgres(primary.url, 'SELECT pg_reload_conf()')
    const states = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`
    await waitUntil(async () => ((await queryPostgres(primary.url, states)).length > 0 ? true : null))
  }

  const rows = <Row>(server: PostgresServer, sql: string, ...values: unknown[]): Promise<Row[]> =>
    queryPostgres<Row>(new URL(databaseName, server.url).href, sql, values)

  async function register() {
    const limits = { approvalThreshold: 100, currency: 'USD' }
    const { svcId, account } = await registerAgent(service.baseUrl, { pdlss: { limits } })
    const prover = createAgentProver(service.baseUrl, Date.now)
    prover.add(svcId, account)
    const request = { agentId: svcId, counterpartyId: svceId, transactionValue: 1, currency: 'USD' }
    const body = await prover.prove(request)
    return { svcId, verify: () => verify(body) }
  }

  async function verify(body: object) {
    const answer = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body,
    })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status === 200) answered.push(answer.body.auditRecordId)
    return answer
  }

  const waitForAnswers = (more: number) => {
    const target = answered.length + more
    return waitUntil(async () => (answered.length >= target ? true : null))
  }

  async function findLost(server: PostgresServer): Promise<string[]> {
    const records = await rows<{ seq: number; id: string }>(
      server,
      'SELECT seq, record_id AS id FROM audit_records ORDER BY seq',
    )
    expect(records.map(({ seq }) => seq)).to.deep.equal(records.map((_, at) => at))
    const stored = new Set(records.map(({ id }) => id))
    return answered.filter((id) => !stored.has(id))
  }

  /** Kills the primary, promotes the standby, and suspends an agent as soon as it accepts writes. */
  async function failOver(suspended: string): Promise<number> {
    await primary.kill()
    const promoted = standby.promote()
    await waitUntil(() => rows(standby, SUSPEND, suspended).catch(() => null))
    const promotedAt = performance.now()
    await Promise.all([promoted, waitForAnswers(CONNECTIONS + 1)])
    const firstMs = performance.now() - promotedAt
    former = primary
    primary = standby
    return firstMs
  }

  const waitForListener = () =>
    waitUntil(async () => {
      const listening = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'svc-changes' AND query LIKE 'LISTEN%'`
      return (await rows(primary, listening)).length > 0 ? true : null
    })

  /** Replaces the killed cluster by a synchronous standby of the new primary on the same port. */
  async function replaceFormer(): Promise<void> {
    former.stop()
    const port = Number(new URL(former.url).port)
    standby = await startPostgres({ standbyOf: primary, port })
    await waitForStandby()
  }

  it('loses no returned decision, follows without a restart, and grants nothing on outdated facts', async () => {
    const busy = await register()
    let running = true
    const client = async () => {
      while (running) await busy.verify()
    }
    const load = Promise.all(Array.from({ length: CONNECTIONS }, client))
    const waits: number[] = []
    for (let round = 0; round < FAIL_OVERS; round += 1) {
      if (round > 0) await replaceFormer()
      const [missed, heard] = [await register(), await register()]
      for (const { verify: ask } of [missed, heard])
        expect((await ask()).body.recommendation).to.equal('grant')
      await waitForAnswers(100)
      waits.push(await failOver(missed.svcId))
      await waitForListener()
      await rows(primary, SUSPEND, heard.svcId)
      await waitUntil(async () => ((await heard.verify()).body.recommendation === 'deny' ? true : null))
      // A change that is heard shows that those which were missed have been forgotten.
      expect((await missed.verify()).body.recommendation).to.equal('deny')
    }
    running = false
    await load

    expect([...statuses.keys()]).to.include(200)
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).to.deep.equal([])
    expect(await findLost(primary)).to.deep.equal([])
    expect((await api(service.baseUrl, 'GET', '/api/health')).body.checks.database.status).to.equal('pass')
    reportFaultFigure(
      `the primary killed and the standby promoted ${FAIL_OVERS} times: ${answered.length} decisions, 0 lost, ${statuses.get(503) ?? 0} requests refused with 503; first responses at most ${Math.round(Math.max(...waits))} ms after the promotion`,
    )
  })

  it('does not return to the former primary when it comes back as a second one', async () => {
    await former.crash()
    // Otherwise its commits would wait for a standby.
    await queryPostgres(former.url, 'ALTER SYSTEM RESET synchronous_standby_names')
    await queryPostgres(former.url, 'SELECT pg_reload_conf()')
    const size = 'SELECT count(*) AS size FROM audit_records'
    const before = await rows(former, size)
    const { verify: ask } = await register()
    await rows(
      primary,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'svc-%'`,
    )
    const known = answered.length
    await waitUntil(async () => ((await ask()).status === 200 && answered.length > known + 20 ? true : null))
    expect(await findLost(primary)).to.deep.equal([])
    expect(await rows(former, size)).to.deep.equal(before)
  })
})
