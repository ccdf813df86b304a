import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { createMigratedDatabase, testsPostgres } from '../harness/database/postgres.ts'
import { queryPostgres } from '../harness/database/queryPostgres.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const SPELL_MS = 3_000
/** More than the connections of a process. */
const COPIES = 24

describe('PostgreSQL that accepts only reads for a while, as on a full disk', function () {
  this.timeout(120_000)
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let service: StartedService
  let shop: Organisation
  let svceId: string
  let svcId: string

  before(async function () {
    if (!testsPostgres) this.skip()
    database = await createMigratedDatabase()
    const settings = { DATABASE_URL: database.url, SECRETS_KEY: Buffer.alloc(32, 3).toString('base64') }
    service = await startService({ settings })
    shop = await createOrganisation(service.baseUrl)
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
    svcId = (await registerAgent(service.baseUrl)).svcId
  })
  afterEach(() => alter('RESET default_transaction_read_only'))
  after(async () => {
    await service?.stop()
    await database?.drop()
  })

  const administer = (sql: string) => queryPostgres(new URL('/postgres', database.url).href, sql)
  const alter = async (change: string) => {
    if (database) await administer(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} ${change}`)
  }
  const endSessions = (like: string) =>
    queryPostgres(
      database.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE ?`,
      [like],
    )
  const health = async () => (await api(service.baseUrl, 'GET', '/api/health')).body.checks.database.status
  const verify = () =>
    api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { agentId: svcId, counterpartyId: svceId },
    })
  const register = () =>
    api(service.baseUrl, 'POST', '/api/auth/register', {
      body: {
        email: `${crypto.randomUUID()}@acme.io`,
        password: 'correct horse battery',
        fullName: 'A Person',
        accountType: 'business',
      },
    })
  const statusesOf = async (...sends: (() => Promise<{ status: number }>)[]) => {
    const sent = sends.flatMap((send) => Array.from({ length: COPIES }, send))
    return [...new Set((await Promise.all(sent)).map(({ status }) => status))]
  }

  it('fails the health, and needs no restart: the sessions of the spell are replaced', async () => {
    await alter('SET default_transaction_read_only = on')
    await endSessions('svc-%')
    const begun = performance.now()
    await waitUntil(async () => ((await health()) === 'fail' ? true : null))
    while (performance.now() - begun < SPELL_MS) {
      expect(await statusesOf(verify, register)).to.deep.equal([503])
      expect(await health()).to.equal('fail')
    }
    await alter('RESET default_transaction_read_only')
    const endedAt = performance.now()
    await waitUntil(async () => ((await health()) === 'pass' ? true : null))
    const recoveredMs = performance.now() - endedAt
    expect(recoveredMs).to.be.below(5_000)
    // Sessions of the spell that nobody has used are replaced once they are a second old.
    await pause(1_000)
    expect(await statusesOf(verify)).to.deep.equal([200])
    expect(await statusesOf(register)).to.deep.equal([201])
    expect(await health()).to.equal('pass')
    const { auditRecordId } = (await verify()).body
    await waitUntil(async () => {
      const { status } = await api(service.baseUrl, 'GET', `/api/audit/records/${auditRecordId}/proof`)
      return status === 200 ? true : null
    })
    reportFaultFigure(
      `the database accepted only reads for ${SPELL_MS / 1_000} s: health passed ${Math.round(recoveredMs)} ms later, records proven, no restart`,
    )
  })

  it('fails the health also where only use cases were moved to such sessions', async () => {
    await waitUntil(async () => ((await health()) === 'pass' ? true : null))
    await alter('SET default_transaction_read_only = on')
    await endSessions('svc-use-cases')
    await waitUntil(async () => ((await health()) === 'fail' ? true : null))
    expect((await register()).status).to.equal(503)
    expect(await health()).to.equal('fail')
    await alter('RESET default_transaction_read_only')
    await waitUntil(async () => ((await health()) === 'pass' ? true : null))
    await pause(1_000)
    expect(await statusesOf(register)).to.deep.equal([201])
    expect(await health()).to.equal('pass')
  })
})
