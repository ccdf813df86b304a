import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createGateway } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { type FetchGatewayOptions, gateway as fetchGateway } from '@svc/client/fetch'
import { expect } from 'chai'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'
import { openFakeService } from './openFakeService.ts'

const SIGNED = { signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@authority");created=1' }

describe('gateways and the target of a request', () => {
  let service: Awaited<ReturnType<typeof openFakeService>>
  beforeEach(async () => {
    service = await openFakeService()
  })
  afterEach(() => service.stop())

  /** Sends a request of one target to one host, and returns the status and the code of the response. */
  async function send(url: string, path: string, host = 'shop.io', more: readonly string[] = []) {
    const sent = request(url, { path, headers: ['Host', host, ...more, 'Connection', 'close'] as never })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = String(await response.toArray())
    return [response.statusCode, text.startsWith('{') ? JSON.parse(text).code : text]
  }

  /** The address that the service was last told that a signature covers. */
  const lastTarget = () => service.asked.at(-1)?.callerMetadata.targetUri

  describe('for Node', () => {
    it('refuse one with another host than Host before anything is asked', async () => {
      const app = Fastify()
      app.addHook('preHandler', fastifyGateway(service.options))
      const fastifyUrl = await app.listen({ host: '127.0.0.1', port: 0 })
      const guard = expressGateway(service.options)
      const node = await listen((req, res) => void guard(req, res, () => res.end()))
      for (const url of [fastifyUrl, node.url]) {
        for (const path of ['http://evil.io/a', 'http://u@shop.io/a']) {
          // Fastify has no route for a URL, and the hook runs before it says so.
          expect(await send(url, path), url).to.deep.equal([400, 'invalid_target'])
        }
      }
      expect(service.asked).to.deep.equal([])
      expect(await send(node.url, 'http://shop.io/a')).to.deep.equal([200, ''])
      await Promise.all([app.close(), node.stop()])
    })

    it('compare Host with the authority of HTTP/2, which a signature covers', async () => {
      const guard = expressGateway(service.options)
      const server = createServer((req: Http2ServerRequest, res: Http2ServerResponse) => {
        guard(req as never, res, () => res.end()).catch(() => res.destroy())
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      const ask = async (headers: Record<string, string>) => {
        const stream = client.request({ ':path': '/a?b', ':authority': 'shop.io', ...SIGNED, ...headers })
        const [response] = await once(stream, 'response')
        stream.resume()
        return response[':status']
      }
      expect(await ask({ host: 'evil.io' })).to.equal(400)
      expect(service.asked).to.deep.equal([])
      for (const headers of [{}, { host: 'SHOP.io:80' }] as Record<string, string>[]) {
        expect(await ask(headers)).to.equal(200)
        expect(lastTarget()).to.equal('http://shop.io/a?b')
        expect(service.asked.at(-1)).to.include({ resource: '/a' })
      }
      client.close()
      server.close()
    })
  })

  describe('for Fetch-style handlers', () => {
    /** Opens a server that takes the URL of a request from its target, as Deno, Bun and Hono on Node do. */
    const openRuntime = (
      options: Partial<FetchGatewayOptions> = {},
      urlOf = ({ url = '', headers: { host } }: IncomingMessage) =>
        url.startsWith('/') ? `http://${host}${url}` : url,
      more: object = {},
    ) => {
      const guard = fetchGateway({ ...service.options, ...options })(() => new Response('handled'))
      return listen(async (req, res) => {
        const headers = new Headers()
        for (let at = 0; at < req.rawHeaders.length; at += 2) {
          headers.append(req.rawHeaders[at] ?? '', req.rawHeaders[at + 1] ?? '')
        }
        const response = await guard(Object.assign(new Request(urlOf(req), { headers }), more))
        res.writeHead(response.status).end(await response.text())
      })
    }

    it('refuse one with another host than Host before anything is asked', async () => {
      const at = await openRuntime()
      for (const path of ['http://evil.io/a', 'http://shop.io:8080/a', 'https://shop.io:80/a']) {
        expect(await send(at.url, path), path).to.deep.equal([400, 'invalid_target'])
      }
      expect(await send(at.url, '/a', 'shop.io', ['Host', 'evil.io'])).to.deep.equal([400, 'invalid_target'])
      expect(service.asked).to.deep.equal([])
      expect(await send(at.url, 'http://shop.io/a')).to.deep.equal([200, 'handled'])
      await at.stop()
    })

    it('takes the path from targetOf, where a framework has removed its beginning', async () => {
      const routes = [{ pattern: '/shop/admin/**', minAccessLevel: 'internal' as const }]
      const [removed, stated] = await Promise.all([
        openRuntime({ routes }),
        openRuntime({ routes, targetOf: ({ url }) => `/shop${new URL(url).pathname}?b` }),
      ])
      expect(await send(removed.url, '/admin/x')).to.deep.equal([200, 'handled'])
      expect(await send(stated.url, '/admin/x')).to.deep.equal([403, 'access_level_too_low'])
      expect(service.asked.at(-1)).to.include({ resource: '/shop/admin/x' })
      expect(await send(stated.url, 'http://evil.io/a')).to.deep.equal([400, 'invalid_target'])
      await Promise.all([removed.stop(), stated.stop()])
    })

    it('pass every spelling of a host from which the runtime makes the URL', async () => {
      const at = await openRuntime()
      const signed = Object.entries(SIGNED).flat()
      for (const [host, spelt] of [
        ['shop.io', 'shop.io'],
        ['SHOP.io:80', 'shop.io'],
        ['shop.io:443', 'shop.io:443'],
        ['127.1:8080', '127.0.0.1:8080'],
        ['[0::1]:8080', '[::1]:8080'],
        ['xn--bcher-kva.io', 'xn--bcher-kva.io'],
      ] as const) {
        expect(await send(at.url, '/a?b', host, signed), host).to.deep.equal([200, 'handled'])
        expect(lastTarget()).to.equal(`http://${spelt}/a?b`)
        expect(service.asked.at(-1)?.callerMetadata.host).to.equal(host)
      }
      await at.stop()
    })

    it('verify Host in Next.js, which puts the address on which it listens into the URL', async () => {
      const urlOf = ({ url }: IncomingMessage) => `http://localhost:3000${url}`
      const signed = Object.entries(SIGNED).flat()
      const next = await openRuntime({}, urlOf, { nextUrl: {} })
      expect(await send(next.url, '/a', 'shop.io', signed)).to.deep.equal([200, 'handled'])
      expect(lastTarget()).to.equal('http://shop.io/a')
      await next.stop()
      const other = await openRuntime({}, urlOf)
      expect(await send(other.url, '/a')).to.deep.equal([400, 'invalid_target'])
      await other.stop()
    })

    it('verify the host that the application states, and otherwise compare', async () => {
      const hostOf = (asked: Request) => asked.headers.get('x-forwarded-host')
      const at = await openRuntime({ hostOf })
      const signed = Object.entries(SIGNED).flat()
      const stated = ['X-Forwarded-Host', 'shop.io', ...signed]
      for (const path of ['/a', 'http://inside.io/a']) {
        expect(await send(at.url, path, 'internal:8080', stated)).to.deep.equal([200, 'handled'])
        expect(lastTarget()).to.equal('http://shop.io/a')
        expect(service.asked.at(-1)?.callerMetadata.host).to.equal('shop.io')
      }
      expect(await send(at.url, 'http://evil.io/a')).to.deep.equal([400, 'invalid_target'])
      await at.stop()
    })
  })

  describe('without a framework', () => {
    const FACTS = { target: 'https://evil.io/a', headers: { host: 'shop.io' } }

    it('refuse one with another host than Host before anything is asked, even without a service', async () => {
      const down = {
        apiBaseUrl: 'http://127.0.0.1:9/api',
        whenUnavailable: 'pass',
        counterpartyId: 'SVCE-1',
      } as const
      for (const options of [service.options, { ...service.options, ...down }]) {
        const { verify } = createGateway(options)
        for (const facts of [FACTS, async () => FACTS]) {
          const outcome = await verify(facts)
          expect(!outcome.passes && outcome.refusal).to.deep.include({ status: 400 })
          expect(!outcome.passes && outcome.refusal.body).to.include({ code: 'invalid_target' })
        }
      }
      expect(service.asked).to.deep.equal([])
      expect(service.warnings).to.deep.equal([])
    })

    it('compare nothing outside HTTP, where there is no Host', async () => {
      const { verify } = createGateway(service.options)
      expect((await verify({ target: 'https://shop.io/a' })).passes).to.equal(true)
      expect((await verify({ ...FACTS, target: '/a' })).passes).to.equal(true)
    })
  })
})
