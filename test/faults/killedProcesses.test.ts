import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { createAgentProver } from '../builders/createAgentProver.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { createFaultRun } from '../harness/faults/createFaultRun.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { findProvenRecords } from '../harness/faults/findProvenRecords.ts'
import { killProcesses } from '../harness/faults/killProcesses.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type ApiAnswer, api } from '../harness/service/api.ts'
import { type Processes, startProcesses } from '../harness/service/startProcesses.ts'

/** The long form takes hours with the default; `DECISIONS` shortens it. */
const DECISIONS = Number(process.env.DECISIONS ?? { none: 1_000, short: 4_000, full: 1_000_000 }[faultMode])
const PROCESSES = 4
const CLIENTS = 32
/** One decision in so many counts under a cap, and one in so many needs an approval. */
const [CAPPED_EACH, APPROVED_EACH] = [10, 100]
/** What an agent with a cap is allowed, and how often it asks. */
const [CAP, ASKED] = [50, 100]
const VERIFY = '/api/agents/verify-access'
const STEP_UP = { autonomousThreshold: 100, stepUpThreshold: 200, approvalThreshold: 500, currency: 'USD' }

type Decided = ApiAnswer<{
  auditRecordId: string
  recommendation: string
  stepUpApproval?: { approvalId: string }
}>

describe('processes over one PostgreSQL that are killed every few seconds', function () {
  // On a busy machine, each restart can take a minute.
  this.timeout(60_000 * 30 + DECISIONS * 120)
  const answered: string[] = []
  const capped: { svcId: string; asked: number; granted: number }[] = []
  const approved = { attempts: 0, granted: 0 }
  const run = createFaultRun()
  let running: Processes
  let shop: Organisation
  let counterpartyId: string
  let prover: ReturnType<typeof createAgentProver>
  let kills: ReturnType<typeof killProcesses>

  before(async function () {
    if (!testsPostgres) this.skip()
    running = await startProcesses(PROCESSES, {
      VERIFY_RATE_PER_MINUTE: '100000000',
      API_RATE_PER_MINUTE: '100000000',
      LOG_LEVEL: 'silent',
    })
    shop = await createOrganisation(baseUrl())
    counterpartyId = await registerEndpoint(baseUrl(), shop.apiKey)
    prover = createAgentProver(running.baseUrls[0] ?? '', Date.now)
  })
  after(async () => {
    await kills?.stop()
    await running?.stop()
  })

  const baseUrl = (): string => running.baseUrls[Math.floor(Math.random() * PROCESSES)] ?? ''

  /** Asks any process, and another one after it was killed or could not commit, until the run ends. */
  async function ask<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      run.signal.throwIfAborted()
      try {
        const answer = await request()
        if ((answer as { status?: number } | null)?.status !== 503) return answer
      } catch (error) {
        if (!(error instanceof TypeError) && !String(error).includes('SERVICE_UNAVAILABLE')) throw error
      }
      await pause(20)
    }
  }

  async function verify(fields: object): Promise<Decided['body']> {
    const { status, body }: Decided = await ask(() =>
      api(baseUrl(), 'POST', VERIFY, { bearer: shop.apiKey, body: { counterpartyId, ...fields } }),
    )
    run.require('a request gets its decision or 503', status === 200, { status, body, fields })
    answered.push(body.auditRecordId)
    return body
  }

  async function addAgent(limits?: object): Promise<string> {
    const fields = limits === undefined ? {} : { pdlss: { limits } }
    const { svcId, account } = await ask(() => registerAgent(baseUrl(), fields))
    prover.add(svcId, account)
    return svcId
  }

  const spend = (agentId: string, transactionValue: number) =>
    ask(() => prover.prove({ agentId, counterpartyId, transactionValue, currency: 'USD' }))

  async function decideCapped(one: { svcId: string; asked: number; granted: number }): Promise<void> {
    const { recommendation } = await verify(await spend(one.svcId, 1))
    if (recommendation === 'grant') one.granted += 1
  }

  /** Gets an approval, and uses it in three processes at once. */
  async function decideApproved(agentId: string): Promise<void> {
    const sent = { ...(await spend(agentId, 150)), attemptId: randomUUID() }
    const held = await verify(sent)
    const { stepUpApproval } = held
    run.require('a purchase above the threshold is held for the owner', stepUpApproval !== undefined, {
      sent,
      held,
    })
    approved.attempts += 1
    await running.rows(
      `UPDATE step_up_approvals SET status = 'approved', decided_at = ?, has_fresh_assertion = needs_fresh_assertion
        WHERE id = ?`,
      Date.now(),
      stepUpApproval?.approvalId,
    )
    const copies = await Promise.all([verify(sent), verify(sent), verify(sent)])
    const granted = copies.filter(({ recommendation }) => recommendation === 'grant').length
    run.require('an approval is used once', granted <= 1, { stepUpApproval, copies })
    approved.granted += granted
  }

  it('continue to decide', async () => {
    const [plain, holder] = [await addAgent(), await addAgent(STEP_UP)]
    const needed = Math.ceil(DECISIONS / CAPPED_EACH / ASKED)
    for (let nth = 0; nth < needed; nth += 1) {
      const limits = { maxTransactionsPerHour: CAP, approvalThreshold: 100, currency: 'USD' }
      capped.push({ svcId: await addAgent(limits), asked: 0, granted: 0 })
    }
    kills = killProcesses(running, run)
    let next = 0
    const client = async () => {
      while ((answered.length < DECISIONS || !kills.areEnough()) && !run.signal.aborted) {
        const nth = next++
        const agent = capped[Math.floor(nth / CAPPED_EACH / ASKED)]
        if (nth % APPROVED_EACH === 1) await decideApproved(holder)
        else if (nth % CAPPED_EACH === 0 && agent !== undefined) {
          agent.asked += 1
          await decideCapped(agent)
        } else await verify({ agentId: plain })
      }
    }
    const begin = performance.now()
    await run.drive(Array.from({ length: CLIENTS }, () => client)).finally(kills.stop)
    const { processes, sequencers, relayers } = await kills.stop()
    const seconds = Math.round((performance.now() - begin) / 1000)
    reportFaultFigure(
      `${answered.length} decisions of ${PROCESSES} processes in ${seconds} s, ${processes} of them killed, of these ${relayers} while relaying, and ${sequencers} sessions of sequencers ended`,
    )
  })

  it('place every answered decision once, in a log without gaps', async () => {
    await waitUntil(async () => {
      const [row] = await running.rows<{ pending: number }>(
        'SELECT count(*)::int AS pending FROM pending_records',
      )
      return row?.pending === 0 ? true : null
    })
    const rows = await running.rows<{ seq: number; id: string }>(
      'SELECT seq, record_id AS id FROM audit_records ORDER BY seq',
    )
    expect(rows.every(({ seq }, at) => seq === at)).to.equal(true)
    const placed = new Set(rows.map(({ id }) => id))
    expect(placed.size).to.equal(rows.length)
    expect(new Set(answered).size).to.equal(answered.length)
    expect(answered.filter((id) => !placed.has(id))).to.deep.equal([])
    reportFaultFigure(
      `${rows.length} records, each placed once without a gap; 0 of ${answered.length} answered lost`,
    )
  })

  it('grant exactly as much as caps allow', async () => {
    const granted = await running.rows<{ scope: string; count: number }>(
      'SELECT scope, count(*)::int AS count FROM transaction_grants GROUP BY scope',
    )
    const counts = new Map(granted.map(({ scope, count }) => [scope, count]))
    for (const agent of capped) {
      const count = counts.get(agent.svcId) ?? 0
      expect(count).to.be.within(agent.granted, CAP)
      if (agent.asked >= CAP) expect(count).to.equal(CAP)
    }
    const full = capped.filter(({ asked }) => asked >= CAP).length
    reportFaultFigure(
      `${full} agents asked more often than their cap of ${CAP}: each granted exactly ${CAP} times`,
    )
  })

  it('use every approval exactly once', async () => {
    const [row] = await running.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM step_up_approvals WHERE status = 'consumed'`,
    )
    expect(row?.count).to.equal(approved.attempts)
    expect(approved.granted).to.be.at.most(approved.attempts)
    reportFaultFigure(
      `${approved.attempts} approvals, each presented to three processes at once: each used once`,
    )
  })

  it('anchor every record once, and prove every answered decision', async () => {
    const { proven, batches } = await findProvenRecords({
      ...{ running, baseUrl, apiKey: shop.apiKey },
      record: () => api(baseUrl(), 'POST', VERIFY, { bearer: shop.apiKey, body: { counterpartyId } }),
    })
    for (const [nth, { prevSize }] of batches.entries()) {
      expect(prevSize).to.equal(batches[nth - 1]?.newSize ?? 0)
    }
    expect(answered.filter((id) => !proven.has(id))).to.deep.equal([])
    reportFaultFigure(
      `${batches.length} batches, each anchored once; ${answered.length} proofs lead to a root on the chain`,
    )
  })
})
