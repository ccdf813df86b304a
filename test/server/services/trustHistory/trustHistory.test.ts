import { expect } from 'chai'
import { createOrganisation, registerAgent, type TestAgent } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

describe('the history of an agent’s trust score', () => {
  let service: StartedService
  let shopper: TestAgent
  let ownersKey: string
  // The beginning of an hour.
  let now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS

  before(async () => {
    service = await startService({ clock: () => now, settings: { TRUST_HISTORY_SECONDS: '1' } })
    const owner = await createOrganisation(service.baseUrl)
    ownersKey = owner.personalKey
    shopper = await registerAgent(service.baseUrl, {}, { timestamp: Math.floor(now / 1000) })
    const me = await api(service.baseUrl, 'GET', '/api/me', { bearer: owner.accessToken })
    await service.rows(
      'UPDATE agents SET owner_id = ? WHERE svc_id = ?',
      me.body.user.developerId,
      shopper.svcId,
    )
    // An identity on chain raises the score, at any time.
    await waitUntil(async () => {
      const { body } = await api(service.baseUrl, 'GET', `/api/agents/${shopper.svcId}`)
      return body.agent.blockchainStatus === 'verified' ? true : null
    })
  })
  after(() => service.stop())

  const read = (bearer?: string, id = shopper.svcId) =>
    api(service.baseUrl, 'GET', `/api/agents/${id}/trust-history`, bearer ? { bearer } : {})
  const entries = () =>
    service.rows<{ at: unknown; score: number }>(
      'SELECT at, score FROM trust_scores WHERE agent_id = ? ORDER BY hour',
      shopper.svcId,
    )
  /** Reads the entries, once the newest has the current score. */
  const settled = () =>
    waitUntil(async () => {
      const { items, current } = (await read(ownersKey)).body
      return items.at(-1)?.score === current.score ? items : null
    })

  it('begins with the score at registration', async () => {
    const items = await settled()
    const shown = await api(service.baseUrl, 'GET', `/api/agents/${shopper.svcId}`)
    expect(items).to.have.lengthOf(1)
    expect(items[0].score).to.equal(shown.body.agent.trustScore)
    expect(items[0].at).to.equal(new Date(now).toISOString())
  })

  it('has one entry per hour, the last', async () => {
    const before = (await settled())[0].score
    await service.rows("UPDATE agents SET description = 'buys' WHERE svc_id = ?", shopper.svcId)
    const items = await waitUntil(async () => {
      const found = await settled()
      return found[0].score === before + 2 ? found : null
    })
    expect(items).to.have.lengthOf(1)
  })

  it('gets an entry if the score has changed in a later hour', async () => {
    now += HOUR_MS
    // Completing the registration data raises the score at once.
    await service.rows("UPDATE agents SET agent_type = 'shopping' WHERE svc_id = ?", shopper.svcId)
    const items = await waitUntil(async () => {
      const found = await settled()
      return found.length === 2 ? found : null
    })
    expect(items[1].score).to.be.greaterThan(items[0].score)
    expect(Date.parse(items[1].at)).to.equal(now)
  })

  it('is visible to the owner only', async () => {
    const stranger = await createOrganisation(service.baseUrl)
    for (const [answer, status, code] of [
      [await read(), 401, 'UNAUTHENTICATED'],
      [await read(stranger.personalKey), 403, 'FORBIDDEN'],
      [await read(stranger.accessToken), 403, 'FORBIDDEN'],
      [await read(ownersKey, 'SVC-0000000000000000000000'), 404, 'NOT_FOUND'],
    ] as const) {
      expect(answer.status).to.equal(status)
      expect(answer.body.code).to.equal(code)
    }
  })

  it('loses entries older than a year, except the last', async () => {
    now += YEAR_MS + 2 * HOUR_MS
    await service.rows('UPDATE agents SET agent_type = NULL WHERE svc_id = ?', shopper.svcId)
    await waitUntil(async () => ((await entries()).every(({ at }) => Number(at) === now) ? true : null))
    expect(await entries()).to.have.lengthOf(1)
  })
})
