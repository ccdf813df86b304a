import { createAgentClient, createPresenter, readPresentedIdentity } from '@svc/client'
import { verificationBodySchema } from '@svc/core/access/verificationBody.ts'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'

const presenter = createPresenter({
  svcId: 'SVC-a',
  verifyUrl: 'https://svc.test/api/agents/verify-access',
  challengeUrl: 'https://agent.test/challenge',
  purpose: 'shopping:browse',
  durationSeconds: 600,
  jurisdiction: 'DE',
})

const HEADERS = {
  'X-Svc-Id': 'SVC-a',
  'X-Svc-Verify': 'https://svc.test/api/agents/verify-access',
  'X-Svc-Challenge': 'https://agent.test/challenge',
  'X-Svc-Purpose': 'shopping:browse',
  'X-Svc-Duration': '600',
  'X-Svc-Scope': 'DE',
}

describe('createPresenter', () => {
  it('uses the same names in headers, A2A metadata and MCP _meta', () => {
    expect(presenter.headers()).to.deep.equal(HEADERS)
    expect(presenter.a2aMetadata()).to.deep.equal({ metadata: HEADERS })
    expect(presenter.mcpMeta()).to.deep.equal({ _meta: HEADERS })
  })

  it('overrides values for one request and leaves out missing ones', () => {
    const bare = createPresenter({ svcId: 'SVC-b', verifyUrl: 'https://svc.test' })
    expect(bare.headers({ purpose: 'shopping:buy', attemptId: 'x' })).to.deep.equal({
      'X-Svc-Id': 'SVC-b',
      'X-Svc-Verify': 'https://svc.test',
      'X-Svc-Purpose': 'shopping:buy',
      'X-Svc-Attempt-Id': 'x',
    })
  })

  it('carries a proof or a token on every transport', () => {
    const shown = { proof: 'a.b.c', agentToken: 't' }
    for (const block of [
      presenter.headers(shown),
      presenter.a2aMetadata(shown).metadata,
      presenter.mcpMeta(shown)._meta,
    ]) {
      expect(block).to.deep.equal({ ...HEADERS, 'X-Svc-Proof': 'a.b.c', 'X-Svc-Token': 't' })
    }
  })

  it('sends the credentials along with the caller’s own headers', async () => {
    const server = await listen((req, res) => res.end(JSON.stringify(req.headers)))
    const response = await presenter.fetch(server.url, { headers: { 'x-own': 'kept', 'x-svc-id': 'SVC-z' } })
    const seen = (await response.json()) as Record<string, string>
    await server.stop()
    expect(seen).to.include({ 'x-own': 'kept', 'x-svc-id': 'SVC-a', 'x-svc-purpose': 'shopping:browse' })
  })

  describe('at a site that redirects to another origin', () => {
    const client = createAgentClient({ apiBaseUrl: 'https://svc.test/api', svcId: 'SVC-a' })
    const shown = { agentToken: 't.u.v', proof: 'a.b.c' }

    for (const [what, send] of [
      ['a presenter', (url, init) => presenter.fetch(url, init, shown)],
      ['a client without a key', (url, init) => client.fetch(url, init, shown)],
    ] as [string, (url: string, init: RequestInit) => Promise<Response>][]) {
      it(`presents no token and no proof there: ${what}`, async () => {
        const seen: unknown[] = []
        const thief = await listen((req, res) => void res.end(String(seen.push(req.headers))))
        const site = await listen((req, res) => {
          res.writeHead(Number(req.url?.slice(1)), { location: thief.url.replace('127.0.0.1', 'localhost') })
          res.end()
        })
        for (const status of [301, 302, 303, 307, 308]) {
          for (const init of [{}, { method: 'POST', body: 'x' }, { redirect: 'follow' }] as RequestInit[]) {
            expect((await send(`${site.url}/${status}`, init)).status).to.equal(status)
          }
        }
        const failed = send(`${site.url}/302`, { redirect: 'error' })
        expect(await failed.catch((error: unknown) => error)).to.be.instanceOf(TypeError)
        await Promise.all([site.stop(), thief.stop()])
        expect(seen).to.deep.equal([])
      })
    }
  })
})

describe('readPresentedIdentity', () => {
  const identity = {
    agentId: 'SVC-a',
    purpose: 'shopping:browse',
    jurisdiction: 'DE',
    sessionDuration: 600,
    attemptId: undefined,
    agentCardUrl: undefined,
    intentProof: undefined,
    agentToken: undefined,
  }

  it('reads what a presenter wrote, whatever the case of the names', () => {
    expect(readPresentedIdentity(presenter.a2aMetadata().metadata)).to.deep.equal(identity)
    const lower = Object.fromEntries(
      Object.entries(HEADERS).map(([name, value]) => [name.toLowerCase(), value]),
    )
    expect(readPresentedIdentity(lower)).to.deep.equal(identity)
  })

  it('reads a proof and a token, under either name', () => {
    const block = presenter.a2aMetadata({ proof: 'a.b.c', agentToken: 't.u.v' }).metadata
    expect(readPresentedIdentity(block)).to.include({ intentProof: 'a.b.c', agentToken: 't.u.v' })
    for (const [authorization, agentToken] of [
      ['AgentToken t.u.v', 't.u.v'],
      ['agenttoken  t.u.v', 't.u.v'],
      ['Bearer t.u.v', undefined],
      ['AgentTokens a', undefined],
      ['AgentToken', '\u007f'],
      ['AgentToken a b', 'a b'],
      ['AgentToken a, AgentToken b', 'a, AgentToken b'],
      ['Bearer x, AgentToken y', '\u007f'],
      [['AgentToken a', 'AgentToken b'], 'a, AgentToken b'],
      [['Bearer x', 'AgentToken y'], '\u007f'],
      [['AgentToken a'], 'a'],
      ['Digest realm="no AgentToken"', undefined],
    ] as const) {
      expect(readPresentedIdentity({ authorization }).agentToken, String(authorization)).to.equal(agentToken)
    }
    expect(readPresentedIdentity({ 'X-Svc-Token': 'a', authorization: 'AgentToken b' }).agentToken).to.equal(
      'a',
    )
  })

  it('reads a proof, token, agent or attempt that it cannot read as one that the service refuses', () => {
    for (const [name, member] of [
      ['X-Svc-Proof', 'intentProof'],
      ['x-svc-token', 'agentToken'],
      ['X-SVC-ID', 'agentId'],
      ['X-Svc-Attempt-Id', 'attemptId'],
    ] as const) {
      for (const value of [{ a: 1 }, true, false, [], [[]], [{}], ['a.b.c', 'd.e.f'], ['', 'a'], () => 'a']) {
        const read = readPresentedIdentity({ [name]: value })[member]
        expect(read, `${name}: ${JSON.stringify(value)}`).to.equal('\u007f')
        // Proofs are compact JWS, and refused by their verification.
        const isProof = member === 'intentProof' || member === 'agentToken'
        expect(verificationBodySchema.safeParse({ [member]: read }).success, member).to.equal(isProof)
        expect(parseCompactJws(read ?? '')).to.equal(null)
      }
      for (const value of [undefined, null, '', ['']]) {
        expect(readPresentedIdentity({ [name]: value })[member]).to.equal(undefined)
      }
      for (const value of ['a', ['a']]) expect(readPresentedIdentity({ [name]: value })[member]).to.equal('a')
      expect(readPresentedIdentity({ [name]: 5 })[member]).to.equal('5')
    }
    expect(readPresentedIdentity({ 'X-Svc-Purpose': { a: 1 } }).purpose).to.equal(undefined)
    expect(readPresentedIdentity({ 'X-Svc-Purpose': ['a:b', 'c:d'] }).purpose).to.equal('a:b')
  })

  it('leaves out an empty identifier and a duration that is not a whole number of seconds', () => {
    for (const duration of ['', '-1', '1.5', '0', 'long', '99999999999']) {
      expect(readPresentedIdentity({ 'x-svc-duration': duration }).sessionDuration).to.equal(undefined)
    }
    expect(readPresentedIdentity({ 'x-svc-id': '' }).agentId).to.equal(undefined)
  })
})
