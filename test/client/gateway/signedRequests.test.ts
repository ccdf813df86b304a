import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import {
  type AgentKey,
  createIntentProof,
  createPresenter,
  exportPublicKey,
  generateAgentKey,
  type PublicKey,
  signFetch,
} from '@svc/client'
import { captureBody, gateway as expressGateway } from '@svc/client/express'
import { captureBody as fastifyCapture, gateway as fastifyGateway } from '@svc/client/fastify'
import { gateway as fetchGateway } from '@svc/client/fetch'
import { expect } from 'chai'
import express from 'express'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'
import { isVerifiable, openFakeService } from './openFakeService.ts'

const AGENT = `SVC-${'A'.repeat(22)}`
const MAX = 2_000

type FakeService = Awaited<ReturnType<typeof openFakeService>>
type Options = FakeService['options'] & { bodyBytesMax: number; setPassThroughHeader: boolean }
/** A site behind a gateway; its handler responds with the body that it received and the headers that the gateway set. */
type Site = { url: string; send: typeof fetch; stop(): Promise<unknown> }

const seen = (body: unknown, headers: Record<string, unknown>) => ({
  body,
  passedOn: Object.keys(headers).filter((name) => /identity.proof|access.level/i.test(name)),
  identityProof: headers['x-svc-identity-proof'],
})

/** Sites as their owners would write them, each with the parsers in another place. */
const SITES: Record<string, (options: Options) => Promise<Site>> = {
  async 'Express, behind a parser that stores the bytes'(options) {
    const app = express()
    app.use(express.json({ verify: captureBody, limit: '1mb' }), expressGateway(options))
    app.use((req, res) => void res.json(seen(req.body, req.headers)))
    return { ...(await listen(app)), send: fetch }
  },
  async 'Express, before the parsers'(options) {
    const app = express()
    app.use(expressGateway(options), express.json({ limit: '1mb' }))
    app.use((req, res) => void res.json(seen(req.body, req.headers)))
    return { ...(await listen(app)), send: fetch }
  },
  async 'plain Node'(options) {
    const guard = expressGateway(options)
    const server = await listen((req: IncomingMessage, res: ServerResponse) => {
      void guard(req, res, async () => {
        let text = ''
        for await (const chunk of req) text += chunk
        res.end(JSON.stringify(seen(text === '' ? undefined : JSON.parse(text), req.headers)))
      })
    })
    return { ...server, send: fetch }
  },
  async Fastify(options) {
    const app = Fastify({ bodyLimit: 1_048_576 })
    app.addHook('preParsing', fastifyCapture(options))
    app.addHook('preHandler', fastifyGateway(options))
    app.all('/*', async (request) => seen(request.body, request.headers))
    return { url: await app.listen({ host: '127.0.0.1', port: 0 }), send: fetch, stop: () => app.close() }
  },
  async 'a Fetch-style handler'(options) {
    const handle = fetchGateway(options)(async (request) => {
      const text = await request.text()
      return Response.json(
        seen(text === '' ? undefined : JSON.parse(text), Object.fromEntries(request.headers)),
      )
    })
    const send: typeof fetch = (input, init) => handle(new Request(input, init))
    return { url: 'https://shop.example', send, stop: async () => undefined }
  },
}

const BODY = { total: 5, text: 'ä' }
const JSON_TYPE = { 'content-type': 'application/json' }

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape, checked member by member
const bodyOf = async (response: Response): Promise<any> => response.json()

describe('signed requests', () => {
  let key: AgentKey
  let jwk: PublicKey
  before(async () => {
    key = await generateAgentKey()
    jwk = await exportPublicKey(key)
  })

  for (const [name, open] of Object.entries(SITES)) {
    describe(`to ${name}`, () => {
      let service: FakeService
      let site: Site
      /** Sends a signed request, changed on the way. */
      let send: (
        path: string,
        init?: RequestInit,
        change?: (init: RequestInit) => RequestInit,
      ) => Promise<Response>

      beforeEach(async () => {
        service = await openFakeService()
        site = await open({ ...service.options, bodyBytesMax: MAX, setPassThroughHeader: true })
        send = (path, init, change = (same) => same) => {
          const signed = signFetch(key, {
            agentId: AGENT,
            fetch: (input, whole = {}) => site.send(input, change(whole)),
          })
          const presenter = createPresenter(
            { svcId: AGENT, verifyUrl: 'https://svc.test', purpose: 'shopping:buy' },
            signed,
          )
          return presenter.fetch(site.url + path, init)
        }
      })
      afterEach(() => Promise.all([site.stop(), service.stop()]))

      const post = (body: unknown = BODY): RequestInit => ({
        ...{ method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE },
      })

      it('can be verified from what the gateway hands over', async () => {
        expect((await send('/orders?page=2', { method: 'DELETE' })).status).to.equal(200)
        expect((await send('/orders', post())).status).to.equal(200)
        expect(service.asked).to.have.lengthOf(2)
        for (const asked of service.asked) {
          expect(await isVerifiable(asked, jwk)).to.equal(true)
          expect(asked).to.include({ agentId: AGENT, purpose: 'shopping:buy' })
          expect(asked.callerMetadata).to.include({ 'x-svc-id': AGENT, 'x-svc-purpose': 'shopping:buy' })
        }
        expect(service.asked[1]?.callerMetadata.contentDigest).to.match(/^sha-256=:/)
        expect(service.asked[0]?.callerMetadata).not.to.have.property('contentDigest')
      })

      it('reach the handler with their body, and with the proof in a header', async () => {
        const answer = await bodyOf(await send('/orders', post()))
        expect(answer).to.deep.include({ body: BODY, identityProof: 'signature' })
        expect((await bodyOf(await send('/orders', { method: 'DELETE' }))).body).to.equal(undefined)
      })

      it('are refused with another body, before the service is asked', async () => {
        const response = await send('/orders', post(), (init) => ({
          ...init,
          body: JSON.stringify({ total: 500 }),
        }))
        const refused = await bodyOf(response)
        expect([response.status, refused.code]).to.deep.equal([403, 'content_digest_mismatch'])
        expect(refused.guidance).to.equal('Sign the bytes that are sent.')
        expect(service.asked).to.deep.equal([])
      })

      it('hand over that a body was added on the way, with its digest or without', async () => {
        await send('/orders', { method: 'POST' }, (init) => {
          const headers = new Headers(init.headers)
          headers.set('content-type', 'application/json')
          return { ...init, headers, body: JSON.stringify(BODY) }
        })
        const [asked] = service.asked
        expect(asked?.callerMetadata.contentDigest).to.match(/^(?:sha-256=:.*:|unknown)$/)
        expect(asked?.callerMetadata.signatureInput).not.to.include('content-digest')
      })

      it('are refused without the body to which an intent proof commits', async () => {
        const proof = await createIntentProof(key, {
          agentId: AGENT,
          audience: 'https://shop.example',
          body: 'a',
        })
        const response = await send('/orders', { method: 'POST', headers: { 'x-svc-proof': proof } })
        expect([response.status, (await bodyOf(response)).code]).to.deep.equal([
          403,
          'content_digest_mismatch',
        ])
        expect(service.asked).to.deep.equal([])
      })

      it('are refused if their body is too long to be compared', async () => {
        const response = await send('/orders', post({ text: 'x'.repeat(MAX) }))
        const isStored = name.includes('stores the bytes')
        expect([response.status, (await bodyOf(response)).code]).to.deep.equal(
          isStored ? [200, undefined] : [413, 'content_digest_unverifiable'],
        )
        expect(service.asked).to.have.lengthOf(isStored ? 1 : 0)
      })

      it('may have a long body if nothing claims its digest', async () => {
        const long = { text: 'x'.repeat(MAX) }
        const unsigned = await site.send(`${site.url}/orders`, post(long))
        expect((await bodyOf(unsigned)).body).to.deep.equal(long)
        const bot = { ...JSON_TYPE, signature: 'sig1=:AA==:', 'signature-input': 'sig1=("@authority")' }
        const signed = await site.send(`${site.url}/orders`, { ...post(long), headers: bot })
        expect((await bodyOf(signed)).body).to.deep.equal(long)
        const digests = service.asked.map(({ callerMetadata }) => callerMetadata.contentDigest)
        expect(digests[0]).to.equal(undefined)
        expect(digests[1]).to.match(name.includes('stores the bytes') ? /^sha-256=:/ : /^unknown$/)
      })

      it('hand over an intent proof and a token, and the digest that the proof may state', async () => {
        const body = JSON.stringify(BODY)
        const proof = await createIntentProof(key, { agentId: AGENT, audience: 'https://shop.example', body })
        const headers = {
          ...JSON_TYPE,
          'x-svc-id': AGENT,
          'x-svc-proof': proof,
          authorization: 'AgentToken t.u.v',
        }
        await site.send(`${site.url}/orders`, { method: 'POST', body, headers })
        const [asked] = service.asked
        expect(asked).to.include({ intentProof: proof, agentToken: 't.u.v' })
        const { bodyHash } = JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString())
        expect(asked?.callerMetadata).to.include({ contentDigest: bodyHash })
        expect(asked?.callerMetadata).not.to.have.any.keys('authorization', 'x-svc-token')
      })

      it('pass on no header of the gateway that the caller has sent', async () => {
        const forged = {
          ...{ 'X-Svc-Identity-Proof': 'token', 'X-Svc-Access-Level': 'internal' },
          ...{ X_Svc_Identity_Proof: 'token', 'x-svc_access_level': 'internal' },
        }
        const answer = await bodyOf(await send('/orders', { headers: forged }))
        expect(answer.passedOn.sort()).to.deep.equal(['x-svc-access-level', 'x-svc-identity-proof'])
        expect(answer.identityProof).to.equal('signature')
      })
    })
  }

  it('prove nothing behind a parser that does not store the bytes, of which the operator is warned once', async () => {
    const service = await openFakeService()
    const app = express()
    app.use(express.json(), expressGateway(service.options))
    app.use((_req, res) => void res.end())
    const site = await listen(app)
    const signed = signFetch(key, { agentId: AGENT })
    for (let times = 0; times < 2; times += 1) {
      await signed(site.url, { method: 'POST', body: '{}', headers: JSON_TYPE })
    }
    await Promise.all([site.stop(), service.stop()])
    for (const { callerMetadata } of service.asked) {
      expect(callerMetadata.signatureInput).to.include('content-digest')
      expect(callerMetadata).not.to.have.property('contentDigest')
    }
    expect(service.warnings).to.have.lengthOf(1)
    expect(service.warnings[0]).to.include('captureBody')
  })

  it('are not compared with a body that a parser has decompressed', async () => {
    const service = await openFakeService()
    const app = express()
    app.use(express.json({ verify: captureBody }), expressGateway(service.options))
    app.use((req, res) => void res.json(req.body))
    const site = await listen(app)
    const signed = signFetch(key, { agentId: AGENT })
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' }
    const response = await signed(site.url, { method: 'POST', body: gzipSync(JSON.stringify(BODY)), headers })
    await Promise.all([site.stop(), service.stop()])
    expect([response.status, await response.json()]).to.deep.equal([200, BODY])
    expect(service.asked[0]?.callerMetadata).not.to.have.property('contentDigest')
  })
})
