import type { IncomingHttpHeaders } from 'node:http'
import { type AgentClientOptions, createAgentClient } from '@svc/client'
import { createFetch as createA2aFetch } from '@svc/client/a2a'
import { createFetch, RefusedError } from '@svc/client/mcp'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'

const AGENT = `SVC-${'A'.repeat(22)}`
const ATTEMPT = '0198c0de-0000-7000-8000-000000000001'
const DENIED = {
  ...{ success: false, code: 'access_denied', message: 'Denied.', guidance: 'Ask for less.' },
  failures: [
    { dimension: 'pdlss.limits', message: 'Too much.', guidance: 'Ask for less.' },
    { dimension: 'pdlss.scope', message: 'x'.repeat(600), guidance: 'Ask elsewhere.' },
  ],
}

describe('createFetch', () => {
  let site: Awaited<ReturnType<typeof listen>>
  let seen: { headers: IncomingHttpHeaders; body: string }[] = []
  let response: { status: number; body: unknown }

  before(async () => {
    site = await listen(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      seen.push({ headers: req.headers, body })
      res.writeHead(response.status, { 'content-type': 'application/json' })
      res.end(JSON.stringify(response.body))
    })
  })
  beforeEach(() => {
    seen = []
  })
  after(() => site.stop())

  const agentOf = (options: Partial<AgentClientOptions> = {}) =>
    createAgentClient({ apiBaseUrl: `${site.url}/api`, svcId: AGENT, ...options })
  const heldAt = (approvalUrl: string) => ({
    status: 202,
    body: {
      ...{ success: false, code: 'step_up_required', message: 'Held.' },
      stepUpApproval: { attemptId: ATTEMPT, approvalUrl, expiresAt: '2027-01-01T00:00:00.000Z' },
    },
  })
  const post = (body: string) => ({ method: 'POST', body })
  const attempts = () => seen.map(({ headers }) => headers['x-svc-attempt-id'])
  const refusalOf = (sent: Promise<Response>) =>
    sent.then(
      () => expect.fail('it was not refused'),
      (error: RefusedError) => error,
    )

  it('throws a refusal that says why, each sentence once and shortened', async () => {
    response = { status: 403, body: DENIED }
    const refused = await refusalOf(createFetch(agentOf(), { purpose: 'shopping:buy' })(site.url))
    expect(refused).to.be.instanceOf(RefusedError)
    expect(refused.message).to.equal(
      `Refused (access_denied): Denied. Ask for less. Too much. ${'x'.repeat(500)}… Ask elsewhere.`,
    )
    expect([refused.code, refused.refusal]).to.deep.equal(['access_denied', DENIED])
    expect(seen[0]?.headers).to.include({ 'x-svc-id': AGENT, 'x-svc-purpose': 'shopping:buy' })
  })

  it('continues the attempt of an equal request until that is decided', async () => {
    const fetchAsAgent = createFetch(agentOf())
    response = heldAt(`${site.url}/activity`)
    await refusalOf(fetchAsAgent(site.url, post('tea')))
    await refusalOf(fetchAsAgent(site.url, post('coffee')))
    response = { status: 201, body: {} }
    expect((await fetchAsAgent(site.url, post('tea'))).status).to.equal(201)
    await fetchAsAgent(site.url, post('tea'))
    expect(attempts()).to.deep.equal([undefined, undefined, ATTEMPT, undefined])
  })

  it('continues the attempt of an A2A message, whatever its identifiers', async () => {
    const fetchAsAgent = createA2aFetch(agentOf())
    const message = (id: number, text: string) =>
      post(JSON.stringify({ jsonrpc: '2.0', id, params: { message: { messageId: `m${id}`, text } } }))
    response = heldAt(`${site.url}/activity`)
    await refusalOf(fetchAsAgent(site.url, message(1, 'tea')))
    await refusalOf(fetchAsAgent(site.url, message(2, 'tea')))
    await refusalOf(fetchAsAgent(site.url, message(3, 'coffee')))
    expect(attempts()).to.deep.equal([undefined, ATTEMPT, undefined])
  })

  it('names the address of an approval only if it is at the agent’s registry', async () => {
    response = heldAt(`${site.url}/activity/pending/1`)
    const own = await refusalOf(createFetch(agentOf())(site.url))
    expect(own.message).to.include(`The owner can approve it at ${site.url}/activity/pending/1.`)
    expect(own.message).to.include('until 2027-01-01T00:00:00.000Z.')
    response = heldAt('https://registry.example.evil.io/activity/pending/1')
    const foreign = await refusalOf(createFetch(agentOf())(site.url))
    expect(foreign.message).to.match(/^Not carried out: the owner of the agent has to approve/)
    expect(foreign.message).to.not.include('evil')
  })

  it('returns every other response as it is', async () => {
    for (const other of [
      { status: 202, body: { accepted: true } },
      { status: 404, body: { message: 'No such article.' } },
      { status: 500, body: null },
      { status: 200, body: DENIED },
    ]) {
      response = other
      const returned = await createFetch(agentOf())(site.url)
      expect([returned.status, await returned.json()]).to.deep.equal([other.status, other.body])
    }
  })

  it('sends a Request with its method, headers and body', async () => {
    response = { status: 200, body: {} }
    const request = new Request(site.url, { ...post('tea'), headers: { 'x-note': 'n' } })
    await createFetch(agentOf())(request)
    expect([seen[0]?.body, seen[0]?.headers['x-note']]).to.deep.equal(['tea', 'n'])
  })
})
