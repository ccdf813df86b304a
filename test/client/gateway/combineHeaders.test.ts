import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { combineHeaders } from '@svc/client/gateway/combineHeaders.ts'
import { expect } from 'chai'
import express from 'express'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'
import { openFakeService } from './openFakeService.ts'

/** Those of which Node shows the first value. */
const SINGLE = [
  ...['age', 'authorization', 'content-type', 'etag', 'expires', 'from', 'if-modified-since'],
  ...['if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization'],
  ...['referer', 'retry-after', 'server', 'user-agent', 'host'],
]

type Options = Awaited<ReturnType<typeof openFakeService>>['options']
const HOSTS: Record<string, (options: Options) => Promise<{ url: string; stop(): Promise<unknown> }>> = {
  'plain Node': async (options) => {
    const guard = expressGateway(options)
    return listen((req, res) => void guard(req, res, () => res.end()))
  },
  Express: async (options) => {
    const app = express()
    app.use(expressGateway(options), (_req, res) => void res.end())
    return listen(app)
  },
  Fastify: async (options) => {
    const app = Fastify()
    app.addHook('preHandler', fastifyGateway(options))
    app.get('/', async () => '')
    return { url: await app.listen({ host: '127.0.0.1', port: 0 }), stop: () => app.close() }
  },
}

describe('combineHeaders', () => {
  for (const [host, open] of Object.entries(HOSTS)) {
    it(`hands over all values of a covered header that was sent several times: ${host}`, async () => {
      const service = await openFakeService()
      const site = await open(service.options)
      const covered = SINGLE.filter((name) => !/authorization/.test(name))
      const names = [...covered, 'x-own'].map((name) => `"${name}"`).join(' ')
      const headers = [
        'Signature',
        'a=:AAAA:',
        'Signature-Input',
        `a=(${names});created=1`,
        'Connection',
        'close',
      ]
      for (const value of ['first', 'second']) {
        for (const name of [...SINGLE, 'X-Own']) headers.push(name, value)
      }
      const sent = request(site.url, { headers: headers as never })
      sent.end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      await Promise.all([site.stop(), service.stop()])
      const { userAgent, targetUri, ...metadata } = service.asked[0]?.callerMetadata ?? {}
      for (const name of [...covered.filter((one) => one !== 'user-agent'), 'x-own']) {
        expect(metadata[name], name).to.equal('first, second')
      }
      expect(targetUri).to.equal('http://first, second/')
      expect(userAgent).to.equal('first, second')
    })
  }

  it('returns the headers of a request without repeats as they are', () => {
    const headers = { host: 'a', 'user-agent': 'b' }
    expect(combineHeaders(headers, ['Host', 'a', 'User-Agent', 'b'])).to.equal(headers)
    expect(combineHeaders(headers)).to.equal(headers)
    const given = new Headers({ 'user-agent': 'a, b' })
    expect(combineHeaders(given, ['user-agent', 'a', 'user-agent', 'b'])).to.equal(given)
  })

  it('keeps what Node has joined, and what the application has changed or removed', () => {
    const twice = (name: string) => [name, 'a', name, 'b']
    const rawHeaders = [
      ...twice('Cookie'),
      ...twice('Accept'),
      ...twice('Referer'),
      ...twice('Server'),
      ...twice('From'),
    ]
    const headers = { cookie: 'a; b', accept: 'a, b', referer: 'changed', from: 'a' }
    expect(combineHeaders(headers, rawHeaders)).to.deep.equal({ ...headers, from: 'a, b' })
    expect(headers.from).to.equal('a')
  })
})
