import { createAgentClient } from '@svc/client'
import { challengeHandler } from '@svc/client/express'
import { challengeHandler as fastifyChallengeHandler } from '@svc/client/fastify'
import { challengeHandler as fetchChallengeHandler } from '@svc/client/fetch'
import { expect } from 'chai'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'

const NAMED = { challengeId: 'c', type: 'pending_verification', counterpartyId: 'SVCE-1' }
const JSON_TYPE = { 'content-type': 'application/json' }

type Ask = (body: string) => Promise<Response>
type Client = ReturnType<typeof createAgentClient>
type Site = { ask: Ask; stop(): Promise<unknown> }

const post = (url: string) => (body: string) => fetch(url, { method: 'POST', body, headers: JSON_TYPE })

const SITES: Record<string, (client: Client) => Promise<Site>> = {
  async Node(client) {
    const handle = challengeHandler(client)
    const { url, stop } = await listen((req, res) => void handle(req, res))
    return { ask: post(url), stop }
  },
  async Fastify(client) {
    const app = Fastify()
    app.post('/', fastifyChallengeHandler(client))
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    return { ask: post(url), stop: () => app.close() }
  },
  async Fetch(client) {
    const handle = fetchChallengeHandler(client)
    const ask: Ask = (body) => handle(new Request('https://agent.io/', { method: 'POST', body }))
    return { ask, stop: async () => undefined }
  },
}

describe('challengeHandler', () => {
  for (const [framework, open] of Object.entries(SITES)) {
    describe(`for ${framework}`, () => {
      const client = createAgentClient({ apiBaseUrl: 'https://svc.io/api' })
      let site: Site

      before(async () => {
        site = await open(client)
      })
      after(() => site.stop())

      it('acknowledges a challenge about a counterparty only while it is pending', async () => {
        const answer = async () => {
          const response = await site.ask(JSON.stringify(NAMED))
          expect(response.headers.get('content-type')).to.match(/^application\/json/)
          const { acknowledged } = await response.json()
          return [response.status, acknowledged]
        }
        expect(await client.during(['SVCE-1'], answer)).to.deep.equal([200, true])
        expect(await answer()).to.deep.equal([200, false])
      })

      it('responds with 400 to anything else', async () => {
        const long = JSON.stringify({ ...NAMED, padding: 'x'.repeat(16 * 1024) })
        for (const body of ['{}', '{"challengeId"', ...(framework === 'Fastify' ? [] : [long, ''])]) {
          expect((await site.ask(body)).status, body.slice(0, 20)).to.equal(400)
        }
      })
    })
  }
})
