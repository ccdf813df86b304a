import { expect } from 'chai'
import type { Route } from '../../server/middleware/serve.ts'
import { type Served, serveRoutes } from '../harness/serveRoutes.ts'

const VERIFY_PATH = '/api/agents/verify-access'

const verify: Route = {
  method: 'POST',
  path: VERIFY_PATH,
  access: 'optional',
  budget: 'public',
  handler: (call) => ({ body: { success: true, body: call.body ?? null, params: call.params } }),
}

/** The first is the lane's; the others are the same path to Express, which does not mind case, slash or query. */
const SPELLINGS = [VERIFY_PATH, `${VERIFY_PATH}?a=1`, `${VERIFY_PATH}/`, '/API/agents/verify-access']

/** What differs between any two answers. */
const OF_ONE_ANSWER = ['date', 'x-request-id', 'ratelimit', 'content-length']

describe('the pages', () => {
  it('run, load and ask nothing but their own, are framed by nobody and tell no address they came from', async () => {
    const served = await serveRoutes([verify])
    const { headers } = await fetch(`${served.url}/reset-password?token=x`)
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
        const [name = '', ...sources] = directive.trim().split(' ')
        return [name, sources.join(' ')]
      }),
    )
    for (const own of ['default-src', 'script-src', 'connect-src', 'base-uri', 'form-action']) {
      expect(policy.get(own), own).to.equal(`'self'`)
    }
    for (const none of ['object-src', 'frame-ancestors', 'script-src-attr']) {
      expect(policy.get(none), none).to.equal(`'none'`)
    }
    expect([...policy.values()].join(' ')).not.to.match(/https?:|\*/)
    expect(headers.get('referrer-policy')).to.equal('no-referrer')
    await served.stop()
  })
})

describe('an address of the interface that is not there', () => {
  it('is 404 and named as it was asked for, without its query', async () => {
    const served = await serveRoutes([verify])
    for (const path of [
      '/api/nothing/here',
      '/access/v1/nothing',
      '/.well-known/nothing',
      '/registration-files/SVC-0123456789012345678901',
      '/API/x',
      '/api',
    ]) {
      const response = await fetch(`${served.url}${path}?a=1`)
      const { code, instance } = (await response.json()) as Record<string, unknown>
      expect([response.status, code, instance]).to.deep.equal([404, 'NOT_FOUND', path])
    }
    await served.stop()
  })
})

describe('an address of the table that is asked by another method', () => {
  it('is 405 and names the methods that it has', async () => {
    const list: Route = { ...verify, method: 'GET', path: '/api/things' }
    const served = await serveRoutes([verify, list, { ...list, method: 'POST' }])
    for (const [method, path, allow] of [
      ['DELETE', VERIFY_PATH, 'POST'],
      ['GET', VERIFY_PATH, 'POST'],
      ['PUT', '/api/things', 'GET, HEAD, POST'],
    ] as const) {
      const response = await fetch(served.url + path, { method })
      const { code } = (await response.json()) as Record<string, unknown>
      const seen = [response.status, response.headers.get('allow'), code]
      expect(seen).to.deep.equal([405, allow, 'METHOD_NOT_ALLOWED'])
    }
    await served.stop()
  })
})

describe('the lane of verify-access', () => {
  let served: Served
  before(async () => {
    served = await serveRoutes([verify])
  })
  after(() => served.stop())

  const answerOf = async (spelling: string, headers: Record<string, string>, body: string) => {
    const response = await fetch(served.url + spelling, { method: 'POST', headers, body })
    const { instance: _, requestId: __, ...members } = (await response.json()) as Record<string, unknown>
    const kept = [...response.headers].filter(([name]) => !OF_ONE_ANSWER.includes(name))
    return { status: response.status, headers: kept, members }
  }

  const json = { 'content-type': 'application/json' }
  for (const [what, headers, body] of [
    ['a request', json, '{"a":1}'],
    ['a request without a body', json, ''],
    ['malformed JSON', json, '{"a":'],
    ['another media type', { 'content-type': 'text/plain' }, '{}'],
    ['a bad credential', { ...json, authorization: 'Bearer nonsense' }, '{}'],
  ] as const) {
    it(`answers ${what} as Express’s routing would, headers included`, async () => {
      const [lane, ...routed] = await Promise.all(SPELLINGS.map((path) => answerOf(path, headers, body)))
      expect(routed).to.deep.equal(SPELLINGS.slice(1).map(() => lane))
    })
  }

  it('takes POST alone; other methods are routed', async () => {
    expect((await fetch(served.url + VERIFY_PATH)).status).to.equal(405)
  })

  it('loses one connection and not the process when the border itself fails', async () => {
    const failing = await serveRoutes([{ ...verify, handler: () => ({ body: 1n }) }], {
      observe: () => {
        throw new Error('the metrics failed')
      },
    })
    for (const spelling of SPELLINGS) {
      const response = await fetch(failing.url + spelling, { method: 'POST' }).catch(() => null)
      expect(response === null || response.status === 500).to.equal(true)
    }
    expect(failing.logged.length).to.be.greaterThan(0)
    await failing.stop()
  })
})
