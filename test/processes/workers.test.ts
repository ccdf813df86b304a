import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { LocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { readConfig } from '../../server/config.ts'
import { createAgentProver } from '../builders/createAgentProver.ts'
import { enrolPasskey } from '../builders/enrolPasskey.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { createMigratedDatabase, testsPostgres } from '../harness/database/postgres.ts'
import { queryPostgres } from '../harness/database/queryPostgres.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type ApiAnswer, api } from '../harness/service/api.ts'
import { listWorkers } from '../harness/service/listWorkers.ts'
import { type SpawnedService, spawnService } from '../harness/service/spawnService.ts'

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
const CLIENTS = 32
const CAP = 40

describe('the setting WORKERS', () => {
  const beside = { DATABASE_URL: 'postgres://svc@127.0.0.1/svc', SECRETS_KEY }
  const chain = { RPC_URL: 'http://127.0.0.1:8545', RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY }

  it('is one process by default', () => {
    expect(readConfig({}).workers).to.equal(1)
    expect(readConfig({ ...beside, ...chain, WORKERS: '4' }).workers).to.equal(4)
  })

  it('stops the start with SQLite, which only one process can write', () => {
    expect(() => readConfig({ ...chain, WORKERS: '2' })).to.throw(
      'Setting WORKERS: 2 processes need DATABASE_URL, because one SQLite file is written by one process',
    )
  })

  it('stops the start without a chain outside the processes', () => {
    expect(() => readConfig({ ...beside, WORKERS: '2' })).to.throw(
      'Setting WORKERS: 2 processes need RPC_URL',
    )
  })
})

describe('two workers behind one port', function () {
  this.timeout(240_000)
  const folder = createTemporaryFolder()
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let chain: LocalChain
  let settings: Record<string, string>
  let service: SpawnedService
  let shop: Organisation
  let svceId: string

  before(async function () {
    if (!testsPostgres) this.skip()
    database = await createMigratedDatabase()
    chain = await takeChain()
    const port = await findFreePort()
    settings = {
      WORKERS: '2',
      PORT: String(port),
      DATABASE_URL: database.url,
      SECRETS_KEY,
      RPC_URL: chain.url,
      RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
      CONFIRMATIONS: '1',
      DATA_DIR: folder.path,
      REGISTRATION_FILES_DIR: `${folder.path}/files`,
      AUDIT_BATCH_SECONDS: '1',
      VERIFY_RATE_PER_MINUTE: '1000000',
      API_RATE_PER_MINUTE: '100000',
      LOG_LEVEL: 'warn',
    }
    // Of the two names of the port, the first process passes one on.
    writeFileSync(join(folder.path, 'port'), `${port}\n`)
    const { PORT, ...others } = settings
    const inFile = { ...others, PORT_FILE: join(folder.path, 'port') }
    service = { ...(await spawnService(inFile)), baseUrl: `http://127.0.0.1:${PORT}` }
    shop = await createOrganisation(service.baseUrl)
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
  })
  after(async () => {
    await service?.end('SIGKILL')
    await chain?.stop()
    await database?.drop()
    folder.remove()
  })

  const members = () => listWorkers(service.process)
  const verify = (body: object) =>
    api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { counterpartyId: svceId, ...body },
      // One connection per call, so that the calls reach both.
      headers: { connection: 'close' },
    }).catch((error: unknown): null => {
      if (error instanceof TypeError) return null
      throw error
    })
  const rows = <Row>(sql: string, ...values: unknown[]) => queryPostgres<Row>(database.url, sql, values)
  const inParallel = <Answer>(copies: number, send: () => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: copies }, send))
  const grantsIn = (answers: readonly (ApiAnswer<{ recommendation?: string }> | null)[]) =>
    answers.filter((answer) => answer?.body.recommendation === 'grant').length

  it('report readiness once, and are two', () => {
    expect(service.out().trim()).to.equal(`ready http://localhost:${settings.PORT}`)
    expect(members()).to.have.length(2)
  })

  it('add up their metrics, whichever of them is asked', async () => {
    const { svcId } = await registerAgent(service.baseUrl)
    const before = await countRequests()
    await inParallel(30, () => verify({ agentId: svcId }))
    expect(await countRequests()).to.equal(before + 30)
    const health = await api(service.baseUrl, 'GET', '/api/health')
    expect(health.body.checks.database.status).to.equal('pass')
  })

  async function countRequests(): Promise<number> {
    const answer = await fetch(`${service.baseUrl}/metrics`)
    const line = /^svc_http_requests_total\{route="POST \/api\/agents\/verify-access",status="200"\} (\d+)/m
    return Number(line.exec(await answer.text())?.[1] ?? 0)
  }

  it('keep serving when one is killed under load, lose no returned decision, and are two again', async () => {
    const limits = { maxTransactionsPerHour: CAP, approvalThreshold: 100, currency: 'USD' }
    const { svcId, account } = await registerAgent(service.baseUrl, { pdlss: { limits } })
    const prover = createAgentProver(service.baseUrl, Date.now)
    prover.add(svcId, account)
    const body = { agentId: svcId, counterpartyId: svceId, transactionValue: 1, currency: 'USD' }
    const proven = await prover.prove(body)
    const before = members()
    const answered: string[] = []
    const statuses = new Set<number>()
    let grants = 0
    let broken = 0
    let running = true
    const client = async () => {
      while (running) {
        const answer = await verify(proven)
        if (answer === null) {
          broken += 1
          continue
        }
        statuses.add(answer.status)
        answered.push(String(answer.body.auditRecordId))
        grants += grantsIn([answer])
      }
    }
    const load = inParallel(CLIENTS, client)
    await waitUntil(async () => (answered.length > 100 ? true : null))
    process.kill(before[0] ?? 0, 'SIGKILL')
    const others = answered.length
    await waitUntil(async () => (answered.length > others + 200 ? true : null))
    await waitUntil(async () => (isWhole(before) ? true : null))
    running = false
    await load

    expect([...statuses]).to.deep.equal([200])
    // Only the calls of the killed worker were cut off, and those routed to it while its socket was being closed.
    expect(broken).to.be.at.most(2 * CLIENTS)
    const records = await rows<{ seq: number; id: string }>(
      'SELECT seq, record_id AS id FROM audit_records ORDER BY seq',
    )
    expect(records.map(({ seq }) => seq)).to.deep.equal(records.map((_, at) => at))
    const stored = new Set(records.map(({ id }) => id))
    expect(answered.filter((id) => !stored.has(id))).to.deep.equal([])
    const [granted] = await rows<{ count: number }>(
      'SELECT count(*) AS count FROM transaction_grants WHERE scope = ?',
      svcId,
    )
    expect(granted?.count).to.equal(CAP)
    expect(grants).to.be.within(CAP - broken, CAP)
  })

  /** Whether the killed worker is gone and its replacement has reported itself. */
  function isWhole(before: readonly number[]): boolean {
    const now = members()
    return now.length === 2 && now.some((pid) => !before.includes(pid)) && !now.includes(before[0] ?? 0)
  }

  it('let exactly one copy of an approved attempt pass afterwards', async () => {
    const account = {
      email: `${randomUUID()}@people.io`,
      password: 'correct horse battery',
      fullName: 'An Owner',
      accountType: 'individual',
    }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body: account })).body
    const bearer: string = data.accessToken
    const { authenticator } = await enrolPasskey(service.baseUrl, bearer)
    const wallet = privateKeyToAccount(generatePrivateKey())
    await rows('INSERT INTO wallets VALUES (?, ?, ?)', wallet.address.toLowerCase(), data.user.id, Date.now())
    const limits = { autonomousThreshold: 100, stepUpThreshold: 200, approvalThreshold: 500, currency: 'USD' }
    const { svcId } = await registerAgent(service.baseUrl, { pdlss: { limits } }, { account: wallet })
    const request = { agentId: svcId, transactionValue: 150, currency: 'USD', attemptId: randomUUID() }
    const held = await inParallel(16, () => verify(request))
    const approvals = new Set(held.map((answer) => answer?.body.stepUpApproval.approvalId))
    expect(approvals.size).to.equal(1)
    const path = `/api/step-up-approvals/${[...approvals][0]}`
    const { approval } = (await api(service.baseUrl, 'GET', path, { bearer })).body
    const response = authenticator.assert(approval.assertionOptions)
    const approved = await api(service.baseUrl, 'POST', `${path}/approve`, { bearer, body: { response } })
    expect(approved.status).to.equal(200)
    expect(grantsIn(await inParallel(64, () => verify(request)))).to.equal(1)
  })

  it('keep the metrics of a worker that has ended', async () => {
    const before = await countRequests()
    process.kill(members()[1] ?? 0, 'SIGKILL')
    const { svcId } = await registerAgent(service.baseUrl).catch(() => registerAgent(service.baseUrl))
    const answers = await inParallel(10, () => verify({ agentId: svcId }))
    expect(await countRequests()).to.equal(before + answers.filter((answer) => answer !== null).length)
  })

  it('end together within five seconds of SIGTERM, under load, and complete every accepted request', async () => {
    await waitUntil(async () => (members().length === 2 ? true : null))
    const { svcId } = await registerAgent(service.baseUrl)
    const agents = new Agent({ keepAlive: true, maxSockets: CLIENTS })
    const failures: string[] = []
    let answers = 0
    const client = async () => {
      for (;;) {
        try {
          await ask(agents, svcId)
          answers += 1
        } catch (error) {
          failures.push((error as NodeJS.ErrnoException).code ?? String(error))
          return
        }
      }
    }
    const load = inParallel(CLIENTS, client)
    await waitUntil(async () => (answers > 200 ? true : null))
    const pids = members()
    const begun = performance.now()
    expect(await service.end('SIGTERM')).to.equal(0)
    expect(performance.now() - begun).to.be.below(5_000)
    await load
    agents.destroy()
    expect(new Set(failures)).to.deep.equal(new Set(['ECONNREFUSED']))
    for (const pid of pids) expect(() => process.kill(pid, 0)).to.throw('ESRCH')
  })

  /** Requests one decision over a keep-alive connection. */
  function ask(agents: Agent, agentId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json' }
      const options = { method: 'POST', agent: agents, headers }
      const outgoing = request(`${service.baseUrl}/api/agents/verify-access`, options, (incoming) => {
        incoming.resume().on('end', resolve)
      })
      outgoing.on('error', reject)
      outgoing.end(JSON.stringify({ agentId, counterpartyId: svceId }))
    })
  }

  it('end with the process that started them, even when it is killed', async () => {
    service = await spawnService(settings)
    const pids = members()
    expect(pids).to.have.length(2)
    await service.end('SIGKILL')
    for (const pid of pids) {
      await waitUntil(async () => {
        try {
          process.kill(pid, 0)
          return null
        } catch {
          return true
        }
      })
    }
  })

  it('report once why they cannot start', async () => {
    const failure = await spawnService({ ...settings, DATABASE_URL: `${database.url}_missing` }).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(failure.match(/Cannot start/g)).to.have.length(1)
  })
})
