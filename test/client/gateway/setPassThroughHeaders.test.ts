import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { GatewayOutcome } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { gatewayRefusal } from '@svc/client/gateway/gatewayRefusal.ts'
import { removeReceived } from '@svc/client/gateway/removeReceived.ts'
import { setPassThroughHeaders } from '@svc/client/gateway/setPassThroughHeaders.ts'
import { expect } from 'chai'
import express from 'express'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'
import { GRANT, openFakeService } from './openFakeService.ts'

const FORGED = {
  ...{ 'x-svc-access-level': 'internal', 'x-svc-recommendation': 'grant', 'x-svc-identity-proof': 'token' },
  'x-svc-receipt': 'a.b.c',
  accept: '*/*',
}
const OUTCOME: GatewayOutcome = {
  passes: true,
  verified: { verified: false, accessLevel: 'none', recommendation: undefined },
  headers: {},
}
/** A signed request of a registered agent, which was granted. */
const PROVEN: GatewayOutcome = {
  ...OUTCOME,
  verified: {
    ...{ verified: true, accessLevel: 'full', recommendation: 'grant', identityProof: 'signature' },
    ...{
      agent: undefined,
      advisory: undefined,
      pdlss: undefined,
      tokenGuidance: undefined,
      sessionTokens: [],
    },
    isReused: false,
    verification: { ...GRANT, receipt: 'header.claims.signature' },
  },
}

describe('setPassThroughHeaders', () => {
  for (const [what, create] of [
    ['an object', () => ({ ...FORGED })],
    ['a Headers', () => new Headers(FORGED)],
  ] as const) {
    const entriesOf = (headers: object) => {
      return headers instanceof Headers ? Object.fromEntries(headers) : headers
    }

    it(`removes the caller’s own from ${what}`, () => {
      const headers = create()
      setPassThroughHeaders(headers, {}, OUTCOME)
      expect(entriesOf(headers)).to.deep.equal({ accept: '*/*' })
    })

    it(`sets those of the decision in ${what}, without one that has no value`, () => {
      const headers = create()
      setPassThroughHeaders(headers, { setPassThroughHeader: true }, OUTCOME)
      expect(entriesOf(headers)).to.deep.equal({ accept: '*/*', 'x-svc-access-level': 'none' })
    })

    it(`sets every one of them in ${what} for a request that proves its agent`, () => {
      const headers = create()
      setPassThroughHeaders(headers, { setPassThroughHeader: true }, PROVEN)
      expect(entriesOf(headers)).to.deep.equal({
        ...{ accept: '*/*', 'x-svc-access-level': 'full', 'x-svc-recommendation': 'grant' },
        ...{ 'x-svc-identity-proof': 'signature', 'x-svc-receipt': 'header.claims.signature' },
      })
    })

    it(`leaves none of them in ${what} for a request that is refused`, () => {
      const headers = create()
      const refusal = gatewayRefusal.digestMismatch()
      setPassThroughHeaders(headers, { setPassThroughHeader: true }, { passes: false, refusal })
      expect(entriesOf(headers)).to.deep.equal({ accept: '*/*' })
    })
  }

  it('removes every spelling that an application takes for the same name', () => {
    const forged = { x_svc_identity_proof: 'token', 'X-Svc_Access-Level': 'full', X_Svc_Id: 'SVC-2' }
    const headers = { ...forged, 'x-svc-id': 'SVC-1' }
    setPassThroughHeaders(headers, {}, OUTCOME)
    expect(headers).to.deep.equal({ 'x-svc-id': 'SVC-1' })
  })

  it('removes them from the headers as Node received them, too', () => {
    const rawHeaders = [
      ...[
        'X-Svc-Access-Level',
        'full',
        'Accept',
        '*/*',
        'X-SVC-IDENTITY-PROOF',
        'token',
        'x-svc-id',
        'SVC-1',
      ],
      ...['X_Svc_Recommendation', 'grant'],
    ]
    removeReceived({ rawHeaders })
    expect(rawHeaders).to.deep.equal(['Accept', '*/*', 'x-svc-id', 'SVC-1'])
  })
  describe('leaves no view of the headers that shows them, or fails, to a handler of', () => {
    const shownTo = ({ headers, headersDistinct, rawHeaders }: IncomingMessage) => ({
      headers: Object.keys(headers),
      distinct: Object.keys(headersDistinct),
      raw: rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()),
      values: [headersDistinct['x-own'], headersDistinct.accept],
    })
    type Shown = ReturnType<typeof shownTo>
    const HOSTS: Record<string, (options: Options) => Promise<{ url: string; stop(): Promise<unknown> }>> = {
      'plain Node': async (options) => {
        const guard = expressGateway(options)
        return listen((req, res) => void guard(req, res, () => res.end(JSON.stringify(shownTo(req)))))
      },
      Express: async (options) => {
        const app = express()
        app.use(expressGateway(options), (req, res) => void res.json(shownTo(req)))
        return listen(app)
      },
      Fastify: async (options) => {
        const app = Fastify()
        app.addHook('preHandler', fastifyGateway(options))
        app.get('/', async ({ raw }) => shownTo(raw))
        return { url: await app.listen({ host: '127.0.0.1', port: 0 }), stop: () => app.close() }
      },
    }
    type Options = Awaited<ReturnType<typeof openFakeService>>['options']

    for (const [host, open] of Object.entries(HOSTS)) {
      it(host, async () => {
        const service = await openFakeService()
        const site = await open(service.options)
        const own = ['X-Svc-Receipt', 'X_Svc_Id', 'x-svc-identity-proof', 'X-SVC-Access_Level']
        for (const forged of [[], ['X_Svc_Id'], own]) {
          const headers = ['Host', 'shop.io', 'Accept', '*/*', 'X-Own', 'a', 'Connection', 'close']
          for (const name of forged) headers.push(name, 'forged')
          const sent = request(site.url, {
            headers: [...headers, 'X-Own', 'b', 'X-Svc-Id', 'SVC-1'] as never,
          })
          sent.end()
          const [response] = (await once(sent, 'response')) as [IncomingMessage]
          const text = Buffer.concat(await response.toArray()).toString()
          expect(response.statusCode, text).to.equal(200)
          const shown: Shown = JSON.parse(text)
          for (const names of [shown.headers, shown.distinct, shown.raw]) {
            expect(names.filter((name) => /^x[-_]svc/.test(name))).to.deep.equal(['x-svc-id'])
          }
          expect(shown.values).to.deep.equal([['a', 'b'], ['*/*']])
        }
        await Promise.all([site.stop(), service.stop()])
      })
    }
  })
})
