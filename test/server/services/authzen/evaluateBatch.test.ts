import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const PATH = '/access/v1/evaluations'
/** Shortly before nine on a Wednesday. */
const BEFORE_NINE = Date.parse('2026-11-25T08:57:30Z')

describe('a slow batch of AuthZEN evaluations', () => {
  let service: StartedService
  let shop: Organisation
  let agentServer: Awaited<ReturnType<typeof listen>>
  let now = BEFORE_NINE
  let whileAsked: () => Promise<unknown>

  before(async () => {
    service = await startService({ clock: () => now, settings: { VERIFY_RATE_PER_MINUTE: '3' } })
    agentServer = await listen(async (_req, res) => {
      await whileAsked()
      res.end('{}')
    })
  })
  beforeEach(async () => {
    now = BEFORE_NINE
    shop = await createOrganisation(service.baseUrl)
  })
  after(async () => {
    await agentServer.stop()
    await service?.stop()
  })

  /** Evaluations of a slow agent first, then of one that is allowed until nine. */
  async function decide(times = 1) {
    const body = await batch(times)
    return (await api(service.baseUrl, 'POST', PATH, { bearer: shop.apiKey, body })).body.evaluations
  }

  async function batch(times: number) {
    const timestamp = Math.floor(now / 1000)
    const slow = await registerAgent(service.baseUrl, { apiEndpoint: agentServer.url }, { timestamp })
    const pdlss = { duration: { allowedHours: { start: 8, end: 9 } } }
    const early = await registerAgent(service.baseUrl, { pdlss }, { timestamp })
    return {
      action: { name: 'shopping:read' },
      resource: { type: 'endpoint', id: await registerEndpoint(service.baseUrl, shop.apiKey) },
      evaluations: [slow, ...Array(times).fill(early)].map(({ svcId }) => ({
        subject: { type: 'agent', id: svcId },
      })),
    }
  }

  it('decides each evaluation at the time of its turn', async () => {
    whileAsked = async () => undefined
    expect((await decide())[1].decision).to.equal(true)
    whileAsked = async () => {
      now += 180_000
    }
    now += 60_000
    const [, late] = await decide()
    expect(late.decision).to.equal(false)
    expect(late.context.failures[0].dimension).to.equal('pdlss.duration')
  })

  it('counts each evaluation in the budget at the time of its turn', async () => {
    whileAsked = async () => {
      now += 60_000
    }
    const decisions = (await decide(4)).map(({ decision }: { decision: boolean }) => decision)
    expect(decisions).to.deep.equal([false, true, true, true, false])
  })

  it('counts each evaluation under an Idempotency-Key, also when it is repeated, and refuses a batch beyond the budget', async () => {
    whileAsked = async () => undefined
    const [one, body, tooLong] = [await batch(0), await batch(1), await batch(3)]
    const send = async (key: string, given: object) => {
      const headers = { 'idempotency-key': key }
      const answer = await api(service.baseUrl, 'POST', PATH, { bearer: shop.apiKey, body: given, headers })
      const isReplayed = answer.headers.get('idempotent-replayed') === 'true'
      return [answer.status, isReplayed, answer.body.evaluations?.at(-1).decision]
    }
    expect((await send('a', one))[0], 'one of three calls').to.equal(200)
    now += 30_000
    expect(await send('b', body), 'three of three').to.deep.equal([200, false, true])
    now += 29_999
    expect((await send('b', body))[0], 'the window has not ended').to.equal(429)
    now += 1
    expect(await send('b', body), 'two of three').to.deep.equal([200, true, true])
    expect((await send('b', body))[0], 'four of three').to.equal(429)
    now += 60_000
    expect((await send('c', tooLong))[0]).to.equal(429)
  })

  it('returns nothing more to a key that was revoked in the meantime', async () => {
    whileAsked = async () => {
      const { items } = (await api(service.baseUrl, 'GET', '/api/api-keys', { bearer: shop.accessToken }))
        .body
      for (const { id } of items) {
        const path = `/api/api-keys/${id}`
        const { status } = await api(service.baseUrl, 'DELETE', path, { bearer: shop.accessToken })
        expect(status).to.be.oneOf([200, 204])
      }
    }
    const [, refused] = await decide()
    expect(refused.decision).to.equal(false)
    expect(refused.context.error).to.include({ status: 401, code: 'UNAUTHENTICATED' })
  })
})
