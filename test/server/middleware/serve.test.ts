import { expect } from 'chai'
import type { Route } from '../../../server/middleware/serve.ts'
import { SESSION_PRINCIPAL } from '../../builders/sessionPrincipal.ts'
import { type Served, serveRoutes } from '../../harness/service/serveRoutes.ts'
import { codeOf, echo, postTo } from './serveEcho.ts'

const PRINCIPAL = {
  kind: 'apiKey' as const,
  keyId: 'key',
  userId: 'user',
  personId: 'user',
  developerId: 'SVCD-0000000000000000000001',
  organizationId: null,
  actsFor: new Set<string>(),
  writesFor: new Set<string>(),
  suspendedOrganizations: new Set<string>(),
}

const keyed: Route = { ...echo, path: '/api/keyed', access: 'apiKey' }
const session: Route = { ...echo, path: '/api/session', access: 'session' }
const optional: Route = { ...echo, path: '/api/optional', access: 'optional' }
const optionalSession: Route = { ...echo, path: '/api/optional-session', access: 'optionalSession' }
const elevated: Route = { ...echo, path: '/api/elevated', access: 'elevatedSession' }
const named: Route = { ...echo, path: '/api/named/:name' }
const path: Route = {
  ...echo,
  path: '/api/path/:name',
  handler: ({ params }) => ({ body: { success: true, name: params.name } }),
}
const broken: Route = {
  ...echo,
  path: '/api/broken',
  handler: () => {
    throw new Error('secret detail')
  },
}

describe('serve', () => {
  let served: Served
  before(async () => {
    served = await serveRoutes(
      [echo, path, named, keyed, session, optional, optionalSession, elevated, broken],
      {
        authenticators: {
          apiKey: (key) => (key === 'svc_live_good' ? PRINCIPAL : null),
          accessToken: async (token, elevation) =>
            token === 'good' ? { ...SESSION_PRINCIPAL, isElevated: elevation === 'fresh' } : null,
        },
      },
    )
  })
  after(() => served.stop())

  const post = (path: string, body: string, headers?: Record<string, string>) =>
    postTo(served, path, body, headers)

  describe('credentials', () => {
    it('requires one', async () => {
      expect(await codeOf(await post('/api/keyed', '{}'))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('never accepts an agent identifier as one', async () => {
      const response = await post('/api/keyed', '{}', { 'X-Svc-Id': 'SVC-0000000000000000000001' })
      expect(await codeOf(response)).to.deep.equal([401, 'agent_identity_not_a_credential'])
    })

    for (const bearer of ['Bearer svc_live_bad', 'Bearer a.b.c', 'Basic eDp5', 'Bearer ']) {
      it(`refuses "${bearer}", even where a credential is optional`, async () => {
        for (const path of ['/api/keyed', '/api/optional']) {
          const response = await post(path, '{}', { authorization: bearer })
          expect(await codeOf(response)).to.deep.equal([401, 'UNAUTHENTICATED'])
        }
      })
    }

    it('rejects an API key where a session is required', async () => {
      const response = await post('/api/session', '{}', { authorization: 'Bearer svc_live_good' })
      expect(await codeOf(response)).to.deep.equal([403, 'SESSION_REQUIRED'])
    })

    it('requires a fresh passkey where the table says so', async () => {
      const answerTo = async (headers: Record<string, string>) => {
        const response = await post('/api/elevated', '{}', headers)
        return response.status === 200 ? 200 : codeOf(response)
      }
      const authorization = 'Bearer good'
      expect(await answerTo({ authorization, 'X-Svc-Elevation': 'fresh' })).to.equal(200)
      expect(await answerTo({ authorization, 'X-Svc-Elevation': 'stale' })).to.deep.equal([
        403,
        'ELEVATION_REQUIRED',
      ])
      expect(await answerTo({ authorization })).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      expect(await answerTo({ authorization: 'Bearer svc_live_good' })).to.deep.equal([
        403,
        'SESSION_REQUIRED',
      ])
      expect(await answerTo({ 'X-Svc-Elevation': 'fresh' })).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('admits no credential or a session where a session is optional, but no API key', async () => {
      const path = '/api/optional-session'
      expect((await post(path, '{}')).status).to.equal(200)
      expect((await post(path, '{}', { authorization: 'Bearer good' })).status).to.equal(200)
      const keyed = await post(path, '{}', { authorization: 'Bearer svc_live_good' })
      expect(await codeOf(keyed)).to.deep.equal([403, 'SESSION_REQUIRED'])
      const bad = await post(path, '{}', { authorization: 'Bearer bad' })
      expect(await codeOf(bad)).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('accepts the scheme name in any case', async () => {
      for (const scheme of ['bearer', 'BEARER']) {
        const response = await post('/api/keyed', '{}', { authorization: `${scheme} svc_live_good` })
        expect(response.status).to.equal(200)
      }
    })

    it('accepts a valid one', async () => {
      const response = await post('/api/keyed', '{}', { authorization: 'Bearer svc_live_good' })
      expect(response.status).to.equal(200)
    })

    it('checks the credential before the body', async () => {
      expect(await codeOf(await post('/api/keyed', '{'))).to.deep.equal([401, 'UNAUTHENTICATED'])
    })
  })

  describe('responses', () => {
    it('carry the request id and the interface version', async () => {
      for (const path of ['/api/echo', '/api/keyed', '/api/nowhere']) {
        const response = await post(path, '{}', { 'X-Request-Id': 'abc-1' })
        expect(response.headers.get('x-request-id')).to.equal('abc-1')
        expect(response.headers.get('x-svc-version')).to.equal('2.3.10')
      }
    })

    it('generates a request id if the received one is malformed', async () => {
      const response = await post('/api/echo', '{}', { 'X-Request-Id': 'a b' })
      expect(response.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
    })

    it('return errors of the catalogue for unknown and undecodable paths', async () => {
      for (const path of ['/api/nowhere', '/api/%ff', '/nowhere']) {
        expect(await codeOf(await post(path, '{}'))).to.deep.equal([404, 'NOT_FOUND'])
      }
    })

    it('find a UUID in any case, and other names as they are', async () => {
      const id = '0198A0B1-C2D3-7E4F-8A5B-6C7D8E9F0A1B'
      for (const [given, read] of [
        [id, id.toLowerCase()],
        ['SVC-Ab', 'SVC-Ab'],
      ]) {
        const response = await fetch(`${served.url}/api/path/${given}`, { method: 'POST' })
        expect(((await response.json()) as { name: string }).name).to.equal(read)
      }
    })

    it('find nothing under a name with a NUL', async () => {
      const answers = []
      for (const name of ['a', 'a%00', '%00']) {
        answers.push((await fetch(`${served.url}/api/named/${name}`, { method: 'POST' })).status)
      }
      expect(answers).to.deep.equal([200, 404, 404])
    })

    it('reveal only the request id of an unknown failure, and log the rest', async () => {
      const response = await post('/api/broken', '{}', { 'X-Request-Id': 'broken-1' })
      const text = await response.text()
      expect(response.status).to.equal(500)
      expect(text).to.contain('INTERNAL_ERROR').and.to.contain('broken-1')
      expect(text).to.not.contain('secret detail')
      expect(JSON.stringify(served.logged)).to.contain('broken-1')
    })

    it('are plain JSON for a client that refuses problems', async () => {
      for (const accept of [
        'application/problem+json;q=0',
        'application/json, application/problem+json; q=0.0',
      ]) {
        const response = await post('/api/keyed', '{}', { accept })
        expect(response.headers.get('content-type'), accept).to.equal('application/json; charset=utf-8')
      }
    })

    it('are RFC 9457 problems for a client that accepts them', async () => {
      const response = await post('/api/keyed', '{}', { accept: 'application/problem+json' })
      expect(response.headers.get('content-type')).to.equal('application/problem+json')
      expect(await response.json()).to.deep.include({
        success: false,
        error: 'UNAUTHENTICATED',
        status: 401,
        instance: '/api/keyed',
      })
    })
  })

  describe('budgets', () => {
    it('are stated on errors, too, because these calls count', async () => {
      const limited = await serveRoutes([echo, broken, keyed], { max: 9 })
      const call = async (path: string, body: string) =>
        (await fetch(`${limited.url}/api/${path}`, { method: 'POST', body })).headers
      for (const [path, left] of [
        ['echo', 8],
        ['broken', 7],
      ] as const) {
        const headers = await call(path, 'not JSON')
        expect(headers.get('ratelimit-policy')).to.equal('"test";q=9;w=60')
        expect(headers.get('ratelimit')).to.equal(`"test";r=${left};t=60`)
      }
      expect((await call('keyed', '{}')).get('ratelimit'), 'a call that does not count').to.equal(null)
      await limited.stop()
    })

    it('counts down, then refuses with the time to wait, then starts again', async () => {
      let now = 1_000_000
      const limited = await serveRoutes([echo], { max: 2, clock: () => now })
      const call = () => fetch(`${limited.url}/api/echo`, { method: 'POST' })
      const left = [await call(), await call()].map((response) => response.headers.get('ratelimit'))
      expect(left).to.deep.equal(['"test";r=1;t=60', '"test";r=0;t=60'])
      now += 30_000
      const refused = await call()
      expect(refused.headers.get('retry-after')).to.equal('30')
      expect(await codeOf(refused)).to.deep.equal([429, 'RATE_LIMITED'])
      now += 30_000
      expect((await call()).status).to.equal(200)
      await limited.stop()
    })
  })
})
