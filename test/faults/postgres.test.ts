import { expect } from 'chai'
import { createAgentProver } from '../builders/createAgentProver.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import {
  createPostgresDatabase,
  type PostgresServer,
  startPostgres,
  testsPostgres,
} from '../harness/database/postgres.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { spawnService } from '../harness/service/spawnService.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const CONNECTIONS = 32
const CRASHES = { none: 3, short: 3, full: 50 }[faultMode]
const CAP = 150

describe('PostgreSQL killed under load, as by a power cut', function () {
  this.timeout(60_000 + CRASHES * 20_000)
  let server: PostgresServer
  let service: StartedService

  before(async function () {
    if (!testsPostgres) this.skip()
    server = await startPostgres()
    const { url } = await createPostgresDatabase(server.url)
    const settings = { DATABASE_URL: url, SECRETS_KEY: Buffer.alloc(32, 3).toString('base64') }
    service = await startService({ settings })
  })
  after(async () => {
    await service?.stop()
    server?.stop()
  })

  it('loses no returned decision, exceeds no cap, returns 503 meanwhile, and needs no restart', async () => {
    const shop = await createOrganisation(service.baseUrl)
    const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const limits = { maxTransactionsPerHour: CAP, approvalThreshold: 100, currency: 'USD' }
    const { svcId, account } = await registerAgent(service.baseUrl, { pdlss: { limits } })
    const prover = createAgentProver(service.baseUrl, Date.now)
    prover.add(svcId, account)
    const body = await prover.prove({
      agentId: svcId,
      counterpartyId: svceId,
      transactionValue: 1,
      currency: 'USD',
    })
    const verify = () =>
      api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer: shop.apiKey, body })
    const answered: string[] = []
    const statuses = new Map<number, number>()
    let grants = 0
    let running = true
    const client = async () => {
      while (running) {
        const answer = await verify()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status !== 200) continue
        answered.push(answer.body.auditRecordId)
        if (answer.body.recommendation === 'grant') grants += 1
      }
    }
    const load = Promise.all(Array.from({ length: CONNECTIONS }, client))
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const target = answered.length + 100
      await waitUntil(async () => (answered.length > target ? true : null))
      await server.crash()
    }
    const target = answered.length + 100
    await waitUntil(async () => (answered.length > target ? true : null))
    running = false
    await load

    expect([...statuses.keys()]).to.have.members([200, 503])
    const rows = await service.rows<{ seq: number; id: string; entry: string }>(
      'SELECT seq, record_id AS id, entry FROM audit_records ORDER BY seq',
    )
    expect(rows.map(({ seq }) => seq)).to.deep.equal(rows.map((_, at) => at))
    for (const { id, entry } of rows) expect(JSON.parse(entry).recordId).to.equal(id)
    const stored = new Set(rows.map(({ id }) => id))
    expect(answered.filter((id) => !stored.has(id))).to.deep.equal([])
    const [counted] = await service.rows<{ grants: number }>(
      'SELECT count(*) AS grants FROM transaction_grants WHERE scope = ?',
      svcId,
    )
    expect(counted?.grants).to.be.within(grants, CAP)
    expect((await api(service.baseUrl, 'GET', '/api/health')).body.checks.database.status).to.equal('pass')
    const proven = await waitUntil(async () => {
      const { status } = await api(service.baseUrl, 'GET', `/api/audit/records/${answered.at(-1)}/proof`)
      return status === 200 ? true : null
    })
    expect(proven).to.equal(true)
    reportFaultFigure(
      `the database server stopped ${CRASHES} times: ${answered.length} decisions, 0 lost, ${statuses.get(503)} requests refused with 503, ` +
        `${counted?.grants} of at most ${CAP} granted, no restart`,
    )
  })
})

describe('PostgreSQL killed before the service stops', function () {
  this.timeout(60_000)

  it('is named as the reason why it did not stop in order', async function () {
    if (!testsPostgres) this.skip()
    const folder = createTemporaryFolder()
    const server = await startPostgres()
    const { url } = await createPostgresDatabase(server.url)
    const ports = { PORT: String(await findFreePort()), CHAIN_PORT: String(await findFreePort()) }
    const settings = { DATABASE_URL: url, SECRETS_KEY: Buffer.alloc(32, 3).toString('base64') }
    const service = await spawnService({ ...settings, ...ports, DATA_DIR: folder.path, LOG_LEVEL: 'silent' })
    await server.kill()
    expect(await service.end('SIGTERM')).to.equal(1)
    expect(service.log()).to.match(
      /Did not stop in order: PostgreSQL at \S+ does not respond \(ECONNREFUSED\): start it, or correct DATABASE_URL/,
    )
    server.stop()
    folder.remove()
  })
})
