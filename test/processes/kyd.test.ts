import { COMPARISONS } from '@svc/core/kyd/comparisons.ts'
import { expect } from 'chai'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { postKyd } from '../builders/postKyd.ts'
import { OPERATOR_SETTINGS, signInOperator } from '../builders/signInOperator.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

describe('know-your-developer in two processes over one PostgreSQL', () => {
  let two: TwoProcesses

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses(OPERATOR_SETTINGS)
  })
  after(() => two?.stop())

  const baseUrl = (nth: number): string => two.baseUrls[nth % 2] ?? ''

  it('creates one operator when both processes start', async () => {
    expect(await two.rows('SELECT id FROM users WHERE role = ?', 'operator')).to.have.length(1)
  })

  it('accepts one upload, decides once, and raises the score in both', async () => {
    const shop = await createOrganisation(baseUrl(0))
    const me = (await api(baseUrl(0), 'GET', '/api/me', { bearer: shop.accessToken })).body
    const uploads = await Promise.all([0, 1, 2, 3].map((nth) => postKyd(baseUrl(nth), shop.accessToken)))
    expect(uploads.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409])

    const svceId = await registerEndpoint(baseUrl(0), shop.apiKey)
    const { svcId } = await registerAgent(baseUrl(0))
    await two.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', me.user.developerId, svcId)
    const scores = () =>
      Promise.all(
        [0, 1].map(async (nth): Promise<number> => {
          const body = { agentId: svcId, counterpartyId: svceId }
          const verified = await api(baseUrl(nth), 'POST', '/api/agents/verify-access', {
            bearer: shop.apiKey,
            body,
          })
          return verified.body.agent.trustScore
        }),
      )
    const before = await waitUntil(async () => {
      const [first, second] = await scores()
      return first === second ? Number(first) : null
    })

    const reviewer = await signInOperator(baseUrl(0))
    const [found] = (await reviewer.call('GET', '')).body.items
    const headers = { 'x-svc-elevation': await reviewer.elevation() }
    const decisions = await Promise.all(
      [0, 1, 2, 3].map((nth) =>
        api(baseUrl(nth), 'POST', `/api/admin/kyd/${found.id}/approve`, {
          bearer: reviewer.bearer,
          headers,
          body: { compared: [...COMPARISONS] },
        }),
      ),
    )
    expect(decisions.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409])
    await waitUntil(async () => ((await scores()).every((score) => score > before) ? true : null))
    expect(await two.rows(`SELECT 1 FROM audit_records WHERE event_type = 'kyd.approved'`)).to.have.length(1)
  })
})
