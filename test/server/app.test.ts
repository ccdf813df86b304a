import { connect } from 'node:net'
import { expect } from 'chai'
import type { Route } from '../../server/middleware/serve.ts'
import { type Served, serveRoutes } from '../harness/service/serveRoutes.ts'

const VERIFY_PATH = '/api/agents/verify-access'

const verify: Route = {
  method: 'POST',
  path: VERIFY_PATH,
  access: 'optional',
  budget: 'public',
  handler: (call) => ({ body: { success: true, body: call.body ?? null, params: call.params } }),
}

/** The first uses the fast path; Express treats the others as the same path, whatever the case, slash or query. */
const SPELLINGS = [VERIFY_PATH, `${VERIFY_PATH}?a=1`, `${VERIFY_PATH}/`, '/API/agents/verify-access']

/** Headers that differ between any two responses. */
const OF_ONE_ANSWER = ['date', 'x-request-id', 'ratelimit', 'content-length']

describe('the pages', () => {
  it('load scripts and data from their own origin only, cannot be framed, and send no referrer', async () => {
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

describe('the pages of a service with HTTPS', () => {
  it('are asked for by HTTPS from then on, and other hosts below theirs are not', async () => {
    const served = await serveRoutes([verify], { isHttps: true })
    const { headers } = await fetch(`${served.url}/`)
    expect(headers.get('strict-transport-security')).to.equal('max-age=31536000')
    await served.stop()
  })
})

describe('the pages of a service that publishes a node', () => {
  it('may also ask that node, and no other origin', async () => {
    const served = await serveRoutes([verify], { publicRpcUrl: 'https://rpc.example/v1/key' })
    const { headers } = await fetch(`${served.url}/verify/x`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split(';')).to.include(`connect-src 'self' https://rpc.example`)
    expect(policy.match(/https:/g)).to.have.length(1)
    await served.stop()
  })
})

describe('a connection without a request', () => {
  it('stays open for longer than that of a proxy, which would send the next request on it', async () => {
    const served = await serveRoutes([verify])
    const { headers } = await fetch(`${served.url}/api/nothing`)
    expect(headers.get('keep-alive')).to.equal('timeout=130')
    await served.stop()
  })
})

describe('an unknown path of the API', () => {
  it('is 404, and its instance is the requested path without the query', async () => {
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

describe('an unknown path that exists below /api', () => {
  const thing: Route = { ...verify, method: 'GET', path: '/api/agents/:id' }
  let served: Served
  before(async () => {
    served = await serveRoutes([verify, thing])
  })
  after(() => served.stop())

  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(served.url + path, init)
    const { code, message } = (await response.json()) as Record<string, unknown>
    return [response.status, code, message]
  }
  const hint = (path: string) => [404, 'NOT_FOUND', `There is no such path; \`${path}\` is one.`]

  for (const path of [
    '/agents/verify-access',
    '/agents/verify-access/?a=1',
    '/api/api/agents/verify-access',
  ]) {
    it(`is 404 and names the path that exists: ${path}`, async () => {
      expect(await ask(path, { method: 'POST' })).to.deep.equal(hint(VERIFY_PATH))
    })
  }

  it('is 404 for a program, although the dashboard has a page there', async () => {
    expect(await ask('/agents/SVC-1', { headers: { accept: 'application/json' } })).to.deep.equal(
      hint('/api/agents/:id'),
    )
  })

  it('is an ordinary 404 otherwise', async () => {
    for (const path of ['/nothing', '/api/nothing', '/agents']) {
      const [status, code, message] = await ask(path, { method: 'POST' })
      expect([status, code]).to.deep.equal([404, 'NOT_FOUND'])
      expect(message).to.equal('The resource does not exist, or the caller may not see it.')
    }
  })
})

describe('a known path with another method', () => {
  it('is 405 and lists the allowed methods', async () => {
    const list: Route = { ...verify, method: 'GET', path: '/api/things' }
    const served = await serveRoutes([verify, list, { ...list, method: 'POST' }])
    for (const [method, path, allow] of [
      ['DELETE', VERIFY_PATH, 'POST'],
      ['GET', VERIFY_PATH, 'POST'],
      ['PUT', '/api/things', 'GET, HEAD, POST'],
    ] as const) {
      const response = await fetch(served.url + path, { method })
      const { code, message } = (await response.json()) as Record<string, unknown>
      const seen = [response.status, response.headers.get('allow'), code]
      expect(seen).to.deep.equal([405, allow, 'METHOD_NOT_ALLOWED'])
      expect(message).to.equal(`The path does not support this method; it supports ${allow}.`)
    }
    await served.stop()
  })

  it('is 405 too where the path of a later row would match it', async () => {
    const thing: Route = { ...verify, method: 'GET', path: '/api/agents/:id' }
    const served = await serveRoutes([verify, thing, { ...thing, method: 'PATCH' }])
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const response = await fetch(served.url + VERIFY_PATH, { method })
      expect([response.status, response.headers.get('allow')], method).to.deep.equal([405, 'POST'])
    }
    expect((await fetch(`${served.url}/api/agents/SVC-1`)).status).to.equal(200)
    await served.stop()
  })
})

describe('the fast path of verify-access', () => {
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
      const [fastPath, ...routed] = await Promise.all(SPELLINGS.map((path) => answerOf(path, headers, body)))
      expect(routed).to.deep.equal(SPELLINGS.slice(1).map(() => fastPath))
    })
  }

  it('serves POST only; other methods are routed', async () => {
    expect((await fetch(served.url + VERIFY_PATH)).status).to.equal(405)
  })

  it('loses one connection, not the process, when the border itself fails', async () => {
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

describe('input that is not a request', () => {
  let served: Served
  before(async () => {
    served = await serveRoutes([verify])
  })
  after(() => served.stop())

  /** Writes bytes on a connection and reads until the service closes it. */
  const exchange = (...parts: (string | Buffer)[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
      for (const part of parts) socket.write(part)
    })
  const outcome = (text: string) => {
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head.toLowerCase()).to.include('connection: close')
    const { code, status, success, requestId } = JSON.parse(body)
    expect({ success, requestId: typeof requestId }).to.deep.equal({ success: false, requestId: 'string' })
    expect(Number(head.split(' ')[1])).to.equal(status)
    return code
  }
  const POST = `POST ${VERIFY_PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`

  for (const [what, text] of [
    ['no HTTP', 'hello\r\n\r\n'],
    ['a method that is none', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['bytes in the address', 'GET /\u00ff HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n'],
    ['one host twice', `${POST}HOST: x\r\nContent-Length: 2\r\n\r\n{}`],
    ['two hosts in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['another version', 'GET / HTTP/3.0\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \u0000\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\n\ta: b\r\n\r\n'],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length and chunks', `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a length below zero', `${POST}Content-Length: -1\r\n\r\n`],
    ['a length with a sign', `${POST}Content-Length: +2\r\n\r\n{}`],
    ['chunks that are not the last encoding', `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a chunk whose size is none', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ] as const) {
    it(`is refused and its connection closed: ${what}`, async () => {
      expect(outcome(await exchange(Buffer.from(text, 'latin1')))).to.equal('MALFORMED_REQUEST')
    })
  }

  it('is refused when its headers are a flood', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `X-${at}: 1\r\n`).join('')
    for (const headers of [many, `X-A: ${'a'.repeat(20_000)}\r\n`]) {
      expect(outcome(await exchange(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`))).to.equal(
        'HEADERS_TOO_LARGE',
      )
    }
  })

  it('does not affect the previous response on its connection', async () => {
    const text = await exchange(`${POST}Content-Length: 2\r\n\r\n{}`, 'nonsense\r\n\r\n')
    expect(text).to.match(/^HTTP\/1.1 (200|400)/)
    expect(text.match(/HTTP\/1\.1 200/g)?.length ?? 0).to.be.at.most(1)
  })

  it('does not include an unknown expectation, which is ignored', async () => {
    const text = await exchange(
      `${POST}Expect: a miracle\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    )
    expect(text).to.match(/^HTTP\/1.1 200/)
  })
})
