import { expect } from 'chai'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

const CONNECTIONS = { none: 2, short: 4, full: 8 }[faultMode]
const ROUNDS = { none: 1, short: 1, full: 20 }[faultMode]
const NEXT = new URL('../harness/service/serveNextRelease.ts', import.meta.url).pathname
const NEXT_RELEASE = { command: [process.execPath, NEXT] as const }

describe('this release and the next one over one PostgreSQL, under load', function () {
  this.timeout(60_000 + ROUNDS * 60_000)
  let two: TwoProcesses

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses()
  })
  after(() => two?.stop())

  it('answer side by side while processes are replaced forward and back, and lose nothing', async () => {
    const [first = '', second = ''] = two.baseUrls
    const shop = await createOrganisation(first)
    const svceId = await registerEndpoint(second, shop.apiKey)
    const { svcId: agentId } = await registerAgent(first, {})
    const answered: string[] = []
    const statuses = new Map<number, number>()

    async function verify(baseUrl: string, agent = agentId) {
      const body = { agentId: agent, counterpartyId: svceId }
      const answer = await api(baseUrl, 'POST', '/api/agents/verify-access', { bearer: shop.apiKey, body })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status === 200) answered.push(answer.body.auditRecordId)
      return answer
    }
    /** Stops a process and starts it as another release, while clients ask the other one without a pause. */
    async function replace(nth: 0 | 1, options?: typeof NEXT_RELEASE): Promise<void> {
      const other = nth === 0 ? second : first
      let running = true
      const client = async () => {
        while (running) await verify(other)
      }
      const load = Promise.all(Array.from({ length: CONNECTIONS }, client))
      expect(await two.services[nth]?.end('SIGTERM')).to.equal(0)
      await two.restart(nth, options)
      running = false
      await load
    }
    /** Both serve what either has stored, and either hears of what the other changes. */
    async function checkBoth(): Promise<void> {
      for (const [near, far] of [
        [first, second],
        [second, first],
      ] as const) {
        const { svcId } = await registerAgent(near, {})
        for (const url of [near, far])
          expect((await verify(url, svcId)).body.recommendation).to.equal('grant')
        await two.rows("UPDATE agents SET status = 'suspended' WHERE svc_id = ?", svcId)
        for (const url of [near, far])
          await waitUntil(async () =>
            (await verify(url, svcId)).body.recommendation === 'deny' ? true : null,
          )
      }
    }

    for (let round = 0; round < ROUNDS; round += 1) {
      await replace(0, NEXT_RELEASE)
      await checkBoth()
      await replace(1)
      expect(two.services[1]?.log()).to.contain(
        'was migrated by a newer release (9999_next_release), beside which this one may run',
      )
      await checkBoth()
      if (faultMode !== 'none') await replace(0)
    }

    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).to.deep.equal([])
    const rows = await two.rows<{ seq: number; id: string }>(
      'SELECT seq, record_id AS id FROM audit_records ORDER BY seq',
    )
    expect(rows.map(({ seq }) => seq)).to.deep.equal(rows.map((_, at) => at))
    const stored = new Set(rows.map(({ id }) => id))
    expect(answered.filter((id) => !stored.has(id))).to.deep.equal([])
    reportFaultFigure(
      `${ROUNDS} times forward and back: ${answered.length} decisions, 0 lost, ${statuses.get(503) ?? 0} requests refused with 503, no other error`,
    )
  })
})
