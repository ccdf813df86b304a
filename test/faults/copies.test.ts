import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expect } from 'chai'
import { createAgentProver } from '../builders/createAgentProver.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const RACES = { none: 60, short: 500, full: 10_000 }[faultMode]
/** Races that run concurrently. */
const AT_ONCE = 20
const VERIFY = '/api/agents/verify-access'

describe('a client that disconnects, retries and sends copies', function () {
  this.timeout(faultMode === 'full' ? 1_800_000 : 240_000)
  let prover: ReturnType<typeof createAgentProver>
  let service: StartedService
  let shop: Organisation
  let body: Record<string, unknown>
  let stepUpBody: Record<string, unknown>

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    const spends = { maxCumulativeSpend: 100_000_000, cumulativePeriod: 'total', currency: 'USD' }
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey, { pdlss: { limits: spends } })
    const limits = { maxTransactionsPerHour: 100_000, approvalThreshold: 500, currency: 'USD' }
    const { svcId, account } = await registerAgent(service.baseUrl, { pdlss: { limits } })
    prover = createAgentProver(service.baseUrl, Date.now)
    prover.add(svcId, account)
    body = { agentId: svcId, counterpartyId, transactionValue: 1, currency: 'USD' }
    const stepUp = { autonomousThreshold: 100, stepUpThreshold: 200, approvalThreshold: 500, currency: 'USD' }
    const holder = await registerAgent(service.baseUrl, { pdlss: { limits: stepUp } })
    prover.add(holder.svcId, holder.account)
    stepUpBody = { ...body, agentId: holder.svcId, transactionValue: 150 }
  })
  after(() => service?.stop())

  const send = (sent: object, key?: string) =>
    api(service.baseUrl, 'POST', VERIFY, {
      bearer: shop.apiKey,
      body: sent,
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    })

  /** Sends a request completely and disconnects before, during or after the response. */
  function drop(sent: object, key: string, afterMs: number): Promise<void> {
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${shop.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      }
      const outgoing = request(service.baseUrl + VERIFY, { method: 'POST', headers })
      outgoing.on('error', () => undefined)
      outgoing.on('close', () => resolve())
      outgoing.on('response', (incoming) => incoming.resume())
      outgoing.end(JSON.stringify(sent), () => setTimeout(() => outgoing.destroy(), afterMs))
    })
  }

  async function runRaces(race: (nth: number) => Promise<void>): Promise<void> {
    let next = 0
    const runner = async () => {
      while (next < RACES) await race(next++)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, runner))
  }
  const countOf = async (table: string, where: string, value: unknown): Promise<number> => {
    const [row] = await service.rows<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE ${where}`,
      value,
    )
    return Number(row?.count)
  }

  it('causes one event, one spend and one use under one Idempotency-Key, with the same response each time', async () => {
    const { agentId } = body
    await runRaces(async (nth) => {
      const key = randomUUID()
      const proven = await prover.prove(body)
      const [, one, other] = await Promise.all([
        drop(proven, key, nth % 8),
        send(proven, key),
        send(proven, key),
      ])
      const again = await send(proven, key)
      expect([one.status, other.status, again.status]).to.deep.equal([200, 200, 200])
      expect(one.body.recommendation).to.equal('grant')
      expect(other.body).to.deep.equal(one.body)
      expect(again.body).to.deep.equal(one.body)
    })
    expect(await countOf('audit_records', 'session_id IS NOT NULL AND agent_id = ?', agentId)).to.equal(RACES)
    expect(await countOf('transaction_grants', 'scope = ?', agentId)).to.equal(RACES)
    const [spent] = await service.rows<{ total: string }>(
      'SELECT total FROM cumulative_spend WHERE agent_id = ?',
      agentId,
    )
    expect(Number(spent?.total)).to.equal(RACES)
    reportFaultFigure(
      `${RACES} races of one dropped call, two copies and a retry: ${RACES} events, ${RACES} spends, ${RACES} uses, the same response each time`,
    )
  })

  it('asks the owner once per attempt', async () => {
    await runRaces(async () => {
      const sent = await prover.prove({ ...stepUpBody, attemptId: randomUUID() })
      const copies = await Promise.all([send(sent), send(sent), send(sent)])
      expect(new Set(copies.map((copy) => copy.body.stepUpApproval.approvalId)).size).to.equal(1)
    })
    expect(await countOf('step_up_approvals', 'agent_id = ?', stepUpBody.agentId)).to.equal(RACES)
    reportFaultFigure(`${RACES} races of three copies under one attempt: ${RACES} approvals requested`)
  })
})
