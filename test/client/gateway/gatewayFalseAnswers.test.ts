import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createGateway } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { expect } from 'chai'
import fc from 'fast-check'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'
import { openGuardedHosts } from './openGuardedHosts.ts'

const TIMEOUT_MS = 500
const GRANT = {
  success: true,
  recommendation: 'grant',
  access: { allowed: true, accessLevel: 'full', reason: '' },
}
const GRANT_TEXT = JSON.stringify(GRANT)
const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`

const text =
  (body: string, status = 200, headers: { [name: string]: string } = {}): RequestListener =>
  (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers })
    res.end(body)
  }
const answer = (change: object) => text(JSON.stringify({ ...GRANT, ...change }))
const access = (change: object) => answer({ access: { ...GRANT.access, ...change } })
const raw =
  (bytes: string): RequestListener =>
  (_req, res) =>
    void res.socket?.end(bytes)

/** Sends a body until the reader disconnects: as fast as it is read, or one space at a time. */
function endless(status: number, everyMs?: number): RequestListener {
  return (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json' })
    res.write('{"recommendation":"grant",')
    const more = () => {
      if (res.destroyed) return
      const isTaken = res.write(' '.repeat(everyMs === undefined ? 65_536 : 1))
      if (everyMs !== undefined) setTimeout(more, everyMs)
      else if (isTaken) setImmediate(more)
      else res.once('drain', more)
    }
    more()
  }
}

/** Sends a whole grant, promises one byte more, and resets the connection. */
const reset: RequestListener = (_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': GRANT_TEXT.length + 1 })
  res.write(GRANT_TEXT, () => res.socket?.resetAndDestroy())
}

const audit = (warningHeader: object) => answer({ recommendation: 'audit', warningHeader })
/** Valid except for the depth of `failures`. */
const deepDenial = `{"success":true,"recommendation":"deny","access":{"allowed":false,"accessLevel":"none","failures":${DEEP}}}`

const FIELDLESS = '{"code":"VALIDATION_ERROR","message":"no","errors":[null,1,{"pointer":1,"message":2},{}]}'

/** Responses of a service, mostly with status 200, and the status that the gateway returns for each. */
const RESPONSES: [what: string, status: number, respond: RequestListener][] = [
  ['nothing', 503, text('')],
  ['no content', 503, (_req, res) => void res.writeHead(204).end()],
  ['a web page', 503, text('<!doctype html><p>grant</p>', 200, { 'content-type': 'text/html' })],
  ['a grant cut short', 503, text(GRANT_TEXT.slice(0, -1))],
  ['a grant followed by another character', 503, text(`${GRANT_TEXT}x`)],
  ['an empty object', 503, text('{}')],
  ['null', 503, text('null')],
  ['a list with a grant', 503, text(`[${GRANT_TEXT}]`)],
  ['a string that contains a grant', 503, text(JSON.stringify(GRANT_TEXT))],
  ['a recommendation in a list', 503, answer({ recommendation: ['grant'] })],
  ['a recommendation that is true', 503, answer({ recommendation: true })],
  ['a recommendation in capitals', 403, answer({ recommendation: 'GRANT' })],
  ['an unknown recommendation', 403, answer({ recommendation: 'grant_all' })],
  ['no access', 503, answer({ access: null })],
  ['a grant with access denied', 403, access({ allowed: false })],
  ['a grant with access as a string', 503, access({ allowed: 'true' })],
  ['a grant without level', 503, access({ accessLevel: undefined })],
  ['a level that would break a header', 503, access({ accessLevel: 'full\r\nx-a: b' })],
  ['a grant without success', 503, answer({ success: false })],
  ['a warning that is not a header', 503, audit({ name: 'a b', value: 'c' })],
  ['a warning of two lines', 503, audit({ name: 'x-a', value: 'c\nd' })],
  ['a warning that is a standard header', 503, audit({ name: 'Trailer', value: 'x' })],
  ['a step-up without approval', 202, answer({ recommendation: 'step_up_required', stepUpApproval: null })],
  ['a denial nested too deeply to serialise', 503, text(deepDenial)],
  ['an endless body', 503, endless(200)],
  ['a body that arrives byte by byte', 503, endless(200, 20)],
  ['an endless error', 503, endless(500)],
  ['an error with malformed field errors', 400, text(FIELDLESS, 400)],
  ['a plain body declared as compressed', 503, text(GRANT_TEXT, 200, { 'content-encoding': 'gzip' })],
  ['a grant with a connection reset at its end', 503, reset],
  ['something that is not HTTP', 503, raw('SSH-2.0-OpenSSH_9.6\r\n')],
  ['an endless header', 503, raw(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`)],
]

describe('the gateway in front of a faulty service', () => {
  const rejections: unknown[] = []
  const noteRejection = (reason: unknown) => rejections.push(reason)
  before(() => process.on('unhandledRejection', noteRejection))
  after(() => process.off('unhandledRejection', noteRejection))

  /** Sends a request to each kind of host behind a gateway. */
  async function askAll(respond: RequestListener) {
    const visited: string[] = []
    const service = await listen((req, res) => {
      visited.push(req.url ?? '')
      respond(req, res)
    })
    const hosts = await openGuardedHosts({ apiBaseUrl: `${service.url}/api`, timeoutMs: TIMEOUT_MS })
    const { statuses, handled, thrown } = await hosts.ask()
    await hosts.stop()
    await service.stop()
    return { statuses, handled, thrown, visited }
  }

  it('passes a grant', async () => {
    expect(await askAll(text(GRANT_TEXT))).to.deep.include({
      statuses: [200, 200, 200],
      handled: 3,
      thrown: [],
    })
  })

  for (const [what, status, respond] of RESPONSES) {
    it(`responds with ${status} to ${what}, and runs no handler`, async () => {
      const { statuses, handled, thrown } = await askAll(respond)
      expect({ statuses, handled, thrown }).to.deep.equal({
        statuses: [status, status, status],
        handled: 0,
        thrown: [],
      })
    })
  }

  for (const redirect of [301, 302, 303, 307, 308]) {
    it(`does not follow ${redirect} to a grant`, async () => {
      const respond: RequestListener = (req, res) =>
        req.url === '/granted' || req.method === 'HEAD'
          ? text(GRANT_TEXT)(req, res)
          : text('', redirect, { location: '/granted' })(req, res)
      const { statuses, handled, visited } = await askAll(respond)
      expect({ statuses, handled }).to.deep.equal({ statuses: [503, 503, 503], handled: 0 })
      expect(visited).not.to.include('/granted')
    })
  }

  describe('whatever the service responds', () => {
    const verify = (body: string) =>
      createGateway({
        apiBaseUrl: 'https://svc.test/api',
        apiKey: 'k',
        counterpartyUrl: 'https://shop.io',
        disableInitChecks: true,
        warn: () => undefined,
        fetch: async () => new Response(body),
      }).verify({ headers: { 'x-svc-id': 'SVC-1' } })
    const passes = async (body: string) => (await verify(body)).passes

    it('passes no truncated grant', async () => {
      const shorter = fc.integer({ min: 0, max: GRANT_TEXT.length - 1 })
      await fc.assert(
        fc.asyncProperty(shorter, async (length) => !(await passes(GRANT_TEXT.slice(0, length)))),
      )
    })

    it('passes no grant with another value in a deciding member', async () => {
      const change = fc.oneof(
        fc.record({ success: fc.jsonValue().filter((value) => value !== true) }),
        fc.record({
          recommendation: fc.jsonValue().filter((value) => value !== 'grant' && value !== 'audit'),
        }),
        fc.record({ access: fc.jsonValue() }),
        fc
          .jsonValue()
          .filter((value) => value !== true)
          .map((allowed) => ({ access: { ...GRANT.access, allowed } })),
      )
      await fc.assert(
        fc.asyncProperty(
          change,
          async (changed) => !(await passes(JSON.stringify({ ...GRANT, ...changed }))),
        ),
        { numRuns: 500 },
      )
    })

    it('passes no other value, and never throws', async () => {
      await fc.assert(
        fc.asyncProperty(fc.json(), async (body) => !(await passes(body))),
        { numRuns: 300 },
      )
    })
  })

  it('reads at most 1 MiB of a response', async () => {
    let taken = 0
    const body = new ReadableStream({
      pull(controller) {
        taken += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(32))
      },
    })
    const options = {
      apiBaseUrl: 'https://svc.test/api',
      apiKey: 'k',
      counterpartyUrl: 'https://shop.io',
      disableInitChecks: true,
      warn: () => undefined,
    }
    const { passes } = await createGateway({ ...options, fetch: async () => new Response(body) }).verify({})
    expect(passes).to.equal(false)
    expect(taken).to.be.within(1_048_576, 1_048_576 + 4 * 65_536)
  })

  describe('does nothing once the host has responded itself', () => {
    for (const [what, late] of [
      ['a grant', text(GRANT_TEXT)],
      ['an invalid answer', text('{}')],
    ] as const) {
      it(`on Node, when ${what} arrives`, async () => {
        const service = await listen(late)
        const guard = expressGateway({
          apiBaseUrl: `${service.url}/api`,
          apiKey: 'k',
          counterpartyUrl: 'https://shop.io',
          warn: () => undefined,
        })
        let handled = 0
        let guarded: Promise<void> | undefined
        const host = await listen((req: IncomingMessage, res: ServerResponse) => {
          guarded = guard(req, res, () => {
            handled += 1
          })
          res.writeHead(504).end()
        })
        expect((await fetch(host.url)).status).to.equal(504)
        await guarded
        await host.stop()
        await service.stop()
        expect(handled).to.equal(0)
      })

      it(`on Fastify, when ${what} arrives`, async () => {
        const service = await listen(late)
        const guard = fastifyGateway({
          apiBaseUrl: `${service.url}/api`,
          apiKey: 'k',
          counterpartyUrl: 'https://shop.io',
          warn: () => undefined,
        })
        let handled = 0
        let guarded: Promise<unknown> | undefined
        const logged: string[] = []
        const host = Fastify({ logger: { level: 'warn', stream: { write: (line) => logged.push(line) } } })
        host.addHook('preHandler', (request, reply) => {
          guarded = guard(request, reply)
          reply.code(504).send()
          return guarded
        })
        host.get('/', async () => {
          handled += 1
        })
        const url = await host.listen({ host: '127.0.0.1', port: 0 })
        expect((await fetch(url)).status).to.equal(504)
        await guarded
        await host.close()
        await service.stop()
        expect({ handled, logged }).to.deep.equal({ handled: 0, logged: [] })
      })
    }
  })

  it('leaves no unhandled rejection, which would terminate the host', () => {
    expect(rejections).to.deep.equal([])
  })
})
