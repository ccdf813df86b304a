import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { migrations } from '../../server/store/database/migrations/index.ts'
import { createAgentKey } from '../builders/createAgentKey.ts'
import { createAgentProver } from '../builders/createAgentProver.ts'
import { createApprover } from '../builders/createApprover.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../builders/participants.ts'
import { signAsAgent } from '../builders/signAsAgent.ts'
import { createPostgresDatabase, testsPostgres } from '../harness/database/postgres.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { findProvenRecords } from '../harness/faults/findProvenRecords.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { type CheckedOutRelease, checkOutRelease, findObstacle } from '../harness/runner/checkOutRelease.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api, otherReleases } from '../harness/service/api.ts'
import { formerRelease } from '../harness/service/formerRelease.ts'
import { type Processes, startProcesses } from '../harness/service/startProcesses.ts'
import { loadReleases, type ReleaseLoad } from './loadReleases.ts'

/** Requests that each release answers in each state of the upgrade, besides those of the checks. */
const ANSWERS = { none: 20, short: 200, full: 1_000 }[faultMode]
/** How often this release is stopped as well, so that the former one is alone with the new tables, and started again. */
const RETURNS = { none: 0, short: 1, full: 10 }[faultMode]
/** How many decisions of the load are replayed, besides all of the checks. */
const REPLAYED = { none: 100, short: 1_000, full: 10_000 }[faultMode]
const CLIENTS = { none: 2, short: 4, full: 8 }[faultMode]
const SIGNED_URL = 'https://signed.acme.io/api'
/** What is granted, of how many copies at once. */
const [CAP, COPIES] = [10, 24]

describe(`this release beside the former one, ${formerRelease.slice(0, 8)}, over one PostgreSQL under load`, function () {
  this.timeout(180_000 + RETURNS * 180_000)
  const account = privateKeyToAccount(generatePrivateKey())
  const key = createAgentKey()
  let release: CheckedOutRelease
  let running: Processes
  let load: ReleaseLoad
  let endLoad: () => Promise<void>
  let shop: Organisation
  let openId: string
  let signedId: string
  let svcId: string
  let approver: Awaited<ReturnType<typeof createApprover>>
  let held: { attempt: object; approvalId: string }
  let prover: ReturnType<typeof createAgentProver>
  let spending: object

  before(async function () {
    if (!testsPostgres) return this.skip()
    const obstacle = findObstacle(formerRelease)
    if (obstacle !== null) {
      console.log(`      skipped: ${obstacle}`)
      return this.skip()
    }
    release = await checkOutRelease(formerRelease)
    const database = await createPostgresDatabase()
    running = await startProcesses(1, {}, { database, options: { command: release.command } })
    otherReleases.add(url(0))
    shop = await createOrganisation(url(0))
    load = loadReleases(shop.apiKey)
    load.serve(url(0))
  })
  after(async () => {
    await running?.stop()
    release?.remove()
  })

  /** The former release is process 0, this one 1. */
  const url = (nth: number): string => running.baseUrls[nth % running.baseUrls.length] ?? ''
  /** Stops a process, which first answers what it has accepted. */
  const end = async (nth: number) =>
    expect(await load.stop(url(nth), async () => running.services[nth]?.end('SIGTERM'))).to.equal(0)
  /** Starts it again, and waits until both answer. */
  const start = async (nth: number) => {
    await running.restart(nth, nth === 0 ? { command: release.command } : {})
    load.serve(url(nth))
    if (nth === 0) expect(running.services[0]?.log()).to.contain('beside which this one may run')
    await load.answersFrom([url(0), url(1)], ANSWERS)
  }
  const sides = [
    [0, 1],
    [1, 0],
  ] as const
  const sign = (by = key) => ({
    ...{ agentId: svcId, counterpartyId: signedId },
    callerMetadata: signAsAgent(by, { svcId, url: SIGNED_URL, created: Math.floor(Date.now() / 1000) }),
  })
  const changeKeys = async (nth: number, method: string, place: string, body?: object) => {
    const path = `/api/agents/${svcId}/keys${place}`
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = await signHeaders(account, { method, path, body: text })
    const { status } = await api(url(nth), method, path, { headers, ...(body ? { body } : {}) })
    expect(status).to.be.below(300)
  }
  const grantsOf = async (bodyOf: () => object, copies = COPIES) => {
    const sent = Array.from({ length: copies }, (_, nth) => load.decide(url(nth), bodyOf()))
    return (await Promise.all(sent)).filter(({ recommendation }) => recommendation === 'grant').length
  }
  const isGrantedSoon = (nth: number, bodyOf: () => object) =>
    waitUntil(async () => ((await load.decide(url(nth), bodyOf())).recommendation === 'grant' ? true : null))
  /** Creates a request with a value, of an agent with this boundary, that proves the agent. */
  const spendWithin = async (nth: number, limits: object) => {
    const { svcId: agentId, account: by } = await registerAgent(url(nth), { pdlss: { limits } })
    prover.add(agentId, by)
    return prover.prove({ agentId, counterpartyId: openId, transactionValue: 1, currency: 'USD' })
  }

  it('migrates the tables of the former one, which continues to decide', async () => {
    openId = await registerEndpoint(url(0), shop.apiKey)
    const fields = { counterpartyUrl: SIGNED_URL, minIdentityProof: 'signature' }
    signedId = await registerEndpoint(url(0), shop.apiKey, fields)
    svcId = (await registerAgent(url(0), {}, { account })).svcId
    await changeKeys(0, 'POST', '', { key: key.jwk })
    const pdlss = { selfInstantiation: { allowed: true, maxSubAgents: 100_000 } }
    const { svcId: plainId } = await registerAgent(url(0), { pdlss })
    prover = createAgentProver(url(0), Date.now)
    approver = await createApprover({ baseUrl: url, rows: running.rows, counterpartyId: openId })
    const attempt = approver.newAttempt()
    const { stepUpApproval } = await load.decide(url(0), attempt)
    held = { attempt, approvalId: stepUpApproval?.approvalId ?? '' }
    const limits = { maxCumulativeSpend: CAP, cumulativePeriod: 'total', currency: 'USD' }
    const limitedId = await registerEndpoint(url(0), shop.apiKey, { pdlss: { limits } })
    spending = { agentId: plainId, counterpartyId: limitedId, transactionValue: 1, currency: 'USD' }
    expect(await grantsOf(() => spending, CAP / 2)).to.equal(CAP / 2)
    endLoad = load.start(CLIENTS, [
      () => ({ agentId: plainId, counterpartyId: openId }),
      sign,
      () => ({ agentId: plainId, counterpartyId: openId, subAgent: { depth: 1 }, sessionDuration: 600 }),
      () => ({ ...sign(), transactionValue: 1, currency: 'USD' }),
    ])
    await load.answersFrom([url(0)], ANSWERS)
    await running.add()
    load.serve(url(1))
    await load.answersFrom([url(0), url(1)], ANSWERS)
    const [newest] = await running.rows('SELECT name FROM knex_migrations ORDER BY id DESC LIMIT 1')
    expect(newest).to.deep.equal({ name: migrations.at(-1)?.name })
  })

  it('grants with it exactly what caps and sums of spend allow, also what was counted before', async () => {
    expect(await grantsOf(() => spending)).to.equal(CAP - CAP / 2)
    for (const [near] of sides) {
      const limits = { maxTransactionsPerHour: CAP, approvalThreshold: 100, currency: 'USD' }
      const capped = await spendWithin(near, limits)
      expect(await grantsOf(() => capped)).to.equal(CAP)
      const pdlss = { selfInstantiation: { allowed: true, maxSubAgents: CAP } }
      const { svcId: agentId } = await registerAgent(url(near), { pdlss })
      const creating = { agentId, counterpartyId: openId, subAgent: { depth: 1 }, sessionDuration: 600 }
      expect(await grantsOf(() => creating)).to.equal(CAP)
    }
  })

  it('uses an approval once, whichever of them held, asked and decided', async () => {
    const approve = await approver.signApproval(held.approvalId, 1)
    expect((await approve()).status).to.equal(200)
    expect(await grantsOf(() => held.attempt)).to.equal(1)
    for (const [near, far] of sides) {
      const attempt = approver.newAttempt()
      const { stepUpApproval } = await load.decide(url(near), attempt)
      const again = await load.decide(url(far), attempt)
      expect(again.stepUpApproval?.approvalId).to.equal(stepUpApproval?.approvalId)
      const sendApproval = await approver.signApproval(stepUpApproval?.approvalId ?? '', near)
      expect((await sendApproval()).status).to.equal(200)
      expect(await grantsOf(() => attempt)).to.equal(1)
      const denied = approver.newAttempt()
      const { approvalId = '' } = (await load.decide(url(near), denied)).stepUpApproval ?? {}
      expect((await approver.deny(approvalId, far)).status).to.equal(200)
      expect(await grantsOf(() => denied)).to.equal(0)
    }
  })

  it('accepts a proof once, and a revoked key no more at the next request to either', async () => {
    for (const [near, far] of sides) {
      const proof = sign()
      expect(await grantsOf(() => proof)).to.equal(1)
      const rotated = createAgentKey()
      await changeKeys(near, 'POST', '', { key: rotated.jwk })
      await isGrantedSoon(far, () => sign(rotated))
      await changeKeys(near, 'DELETE', `/${rotated.kid}`)
      const answers = await Promise.all([far, near].map((nth) => load.decide(url(nth), sign(rotated))))
      expect(answers.map(({ recommendation }) => recommendation)).to.deep.equal(['deny', 'deny'])
    }
  })

  it('gives the response of the other to a repeated Idempotency-Key', async () => {
    for (const [near, far] of sides) {
      const { svcId: agentId } = await registerAgent(url(near), {})
      const headers = { 'idempotency-key': randomUUID() }
      const send = (nth: number) => load.decide(url(nth), { agentId, counterpartyId: openId }, headers)
      expect(await send(near)).to.deep.equal(await send(far))
    }
  })

  it('continues the sessions of the other, and serves its agents at once', async () => {
    for (const [near, far] of sides) {
      expect(await approver.isSignedIn(near)).to.equal(true)
      const owner = await createOrganisation(url(near))
      const created = await registerEndpoint(url(far), owner.apiKey)
      const { svcId: agentId } = await registerAgent(url(near), {})
      expect(await grantsOf(() => ({ agentId, counterpartyId: openId }), 2)).to.equal(2)
      const { status } = await api(url(near), 'GET', `/api/endpoints/${created}`, {
        bearer: owner.accessToken,
      })
      expect(status).to.equal(200)
    }
  })

  it('takes over when the former one is stopped, and lets it return while the upgrade is undone', async () => {
    await end(0)
    await load.answersFrom([url(1)], ANSWERS)
    await start(0)
    for (let round = 0; round < RETURNS; round += 1) {
      await end(1)
      await load.answersFrom([url(0)], ANSWERS)
      await start(1)
      await end(0)
      await start(0)
    }
    await end(0)
    await endLoad()
  })

  it('has placed every answered decision once, and decided nothing that was not answered', async () => {
    const rows = await running.rows<{ seq: number; entry: string }>(
      'SELECT seq, entry FROM audit_records ORDER BY seq',
    )
    expect(rows.map(({ seq }) => seq)).to.deep.equal(rows.map((_, at) => at))
    const decisions = rows.map(({ entry }) => JSON.parse(entry)).filter(({ decision }) => decision !== null)
    expect(decisions.map(({ recordId }) => recordId).sort()).to.deep.equal([...load.answered.keys()].sort())
  })

  it('proves and replays what either of them decided', async () => {
    const decided = [...load.answered.keys()]
    const ofLoad = decided.filter((id) => !load.checked.has(id))
    const every = Math.ceil(ofLoad.length / REPLAYED)
    const replayed = [...load.checked, ...ofLoad.filter((_, nth) => nth % every === 0)]
    const { proven } = await findProvenRecords({
      ...{ running, baseUrl: () => url(1), apiKey: shop.apiKey },
      record: () => load.decide(url(1), { counterpartyId: openId }),
    })
    expect(decided.filter((id) => !proven.has(id))).to.deep.equal([])
    const different: unknown[] = []
    for (const id of replayed) {
      const { body } = await api(url(1), 'POST', `/api/audit/records/${id}/replay`, { bearer: shop.apiKey })
      if (body.reproduced !== true) different.push(body)
    }
    expect(different).to.deep.equal([])
    const ofFormer = decided.filter((id) => load.answered.get(id) === url(0)).length
    reportFaultFigure(
      `${RETURNS + 1} times forward and back: ${ofFormer} decisions of the former release and ${decided.length - ofFormer} of this one, each placed and proven once, ${replayed.length} replayed; ${load.refused()} requests not taken by a process that was being stopped, no other error`,
    )
  })
})
