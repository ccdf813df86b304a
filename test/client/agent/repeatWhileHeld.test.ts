import type { IncomingHttpHeaders } from 'node:http'
import { type AgentClientOptions, createAgentClient } from '@svc/client'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'

const AGENT = `SVC-${'A'.repeat(22)}`
const ATTEMPT = '0198c0de-0000-7000-8000-000000000001'
const HELD = { code: 'step_up_required', stepUpApproval: { attemptId: ATTEMPT } }

describe('a request that the owner has to approve', () => {
  let site: Awaited<ReturnType<typeof listen>>
  let seen: IncomingHttpHeaders[] = []
  /** The responses to come; the last one is repeated. */
  let responses: { status: number; body: unknown; retryAfter?: string; type?: string }[] = []

  before(async () => {
    site = await listen((req, res) => {
      seen.push(req.headers)
      const { status, body, retryAfter, type } = (responses.length > 1
        ? responses.shift()
        : responses[0]) ?? {
        ...{ status: 200, body: {} },
      }
      if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter)
      res.writeHead(status, { 'content-type': type ?? 'application/json' })
      res.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  beforeEach(() => {
    seen = []
  })
  after(() => site.stop())

  const clientOf = (options: Partial<AgentClientOptions> = {}) =>
    createAgentClient({ apiBaseUrl: `${site.url}/api`, svcId: AGENT, ...options })
  const held = (retryAfter?: string) => ({
    ...{ status: 202, body: HELD },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
  const attempts = () => seen.map((headers) => headers['x-svc-attempt-id'])

  it('is sent again as the same attempt until the owner has decided', async () => {
    responses = [held('7'), held(), { status: 201, body: { bought: true } }]
    const pauses: number[] = []
    const client = clientOf({ wait: async (ms) => void pauses.push(ms) })
    const response = await client.fetch(site.url, { method: 'POST', body: '{}' }, { waitMs: 60_000 })
    expect([response.status, await response.json()]).to.deep.equal([201, { bought: true }])
    expect(attempts()).to.deep.equal([undefined, ATTEMPT, ATTEMPT])
    expect(pauses).to.deep.equal([7_000, 5_000])
  })

  it('is not sent with a time that would never be up', async () => {
    responses = [held('7')]
    const client = clientOf({ wait: async () => undefined })
    const refused = await client.fetch(site.url, {}, { waitMs: Number.NaN }).catch(String)
    expect(refused).to.equal('Error: waitMs must be a number from 0 to Infinity, got NaN')
    // As JavaScript callers pass it from an environment variable.
    const response = await client.fetch(site.url, {}, { waitMs: '6999' as unknown as number })
    expect([response.status, seen.length]).to.deep.equal([202, 1])
  })

  it('is sent once by default, and no longer than the time allows', async () => {
    responses = [held('7')]
    const client = clientOf({ wait: async () => undefined })
    expect((await client.fetch(site.url)).status).to.equal(202)
    const response = await client.fetch(site.url, {}, { waitMs: 6_999 })
    expect([response.status, await response.json()]).to.deep.equal([202, HELD])
    expect(seen).to.have.length(2)
  })

  it('waits between a second and a minute, whatever the counterparty asks for', async () => {
    responses = [held('0'), held('999999'), held('soon'), { status: 200, body: {} }]
    const pauses: number[] = []
    const client = clientOf({ wait: async (ms) => void pauses.push(ms) })
    await client.fetch(site.url, {}, { waitMs: 600_000 })
    expect(pauses).to.deep.equal([1_000, 60_000, 5_000])
  })

  it('is not sent again if the signal is aborted meanwhile', async () => {
    responses = [held('60')]
    const ended = new AbortController()
    const sent = clientOf().fetch(site.url, { signal: ended.signal }, { waitMs: 600_000 })
    const outcome = sent.then(
      () => 'answered',
      (error: Error) => error.name,
    )
    while (seen.length === 0) await new Promise(setImmediate)
    ended.abort()
    expect(await outcome).to.equal('AbortError')
    expect(seen).to.have.length(1)
  })

  it('is sent once with a stream as its body, which cannot be read again', async () => {
    responses = [held()]
    const body = new Blob(['{}']).stream()
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    const response = await clientOf().fetch(site.url, init, { waitMs: 60_000 })
    expect([response.status, await response.json()]).to.deep.equal([202, HELD])
    expect(seen).to.have.length(1)
  })

  it('is held only by a response whose type is JSON', async () => {
    responses = [{ ...held(), type: 'text/event-stream' }]
    const response = await clientOf().fetch(site.url, {}, { waitMs: 60_000 })
    expect(await response.json()).to.deep.equal(HELD)
    const client = clientOf({ wait: async () => undefined })
    const type = 'application/problem+json; charset=utf-8'
    responses = [
      { ...held(), type },
      { status: 200, body: {} },
    ]
    expect((await client.fetch(site.url, {}, { waitMs: 60_000 })).status).to.equal(200)
  })

  for (const [what, body] of Object.entries({
    'another acceptance': { code: 'queued', stepUpApproval: { attemptId: ATTEMPT } },
    'an attempt that is no UUID': { ...HELD, stepUpApproval: { attemptId: 'x\r\ny' } },
    'no approval': { code: 'step_up_required' },
    'no JSON': 'accepted',
  })) {
    it(`is not repeated for a 202 with ${what}, whose body is left to the caller`, async () => {
      responses = [{ status: 202, body }]
      const response = await clientOf().fetch(site.url, {}, { waitMs: 60_000 })
      expect(await response.text()).to.equal(typeof body === 'string' ? body : JSON.stringify(body))
      expect(seen).to.have.length(1)
    })
  }
})
