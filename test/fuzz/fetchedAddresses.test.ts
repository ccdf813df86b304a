import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { type BotSigner, createBotSigner } from '../harness/peers/createBotSigner.ts'
import { createCredentialHolder } from '../harness/peers/createCredentialHolder.ts'
import { type Canary, openCanary } from '../harness/peers/openCanary.ts'
import { LOOPBACK_HOSTS } from '../harness/peers/privateHosts.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../server/services/approvals/openOwnerScene.ts'

const WEBHOOK = 'a webhook'
const CHALLENGE = 'the challenge of an agent'
const DOMAIN = 'the check of a domain'
const DID = 'the document of a did:web'
const DIRECTORY = 'a directory of keys'

describe('addresses that users enter and the service fetches', () => {
  let canary: Canary
  let bot: BotSigner
  before(async () => {
    canary = await openCanary()
    bot = await createBotSigner()
  })
  after(() => canary.stop())

  /** Has the service fetch an address in every possible way; counts the requests to the canary for each. */
  async function fetchEverywhere(scene: OwnerScene, ada: Owner, origins: readonly string[]) {
    const contacts: Record<string, number> = {}
    const counting = async (way: string, work: () => Promise<unknown>) => {
      const before = canary.contacts()
      await work()
      contacts[way] = (contacts[way] ?? 0) + canary.contacts() - before
    }
    const shop = scene.shop.apiKey
    const endpointPath = `/api/endpoints/${scene.svceId}`
    for (const origin of origins) {
      await counting(WEBHOOK, async () => {
        await scene.call('POST', `${endpointPath}/webhook`, { bearer: shop, body: { url: `${origin}/hook` } })
        await scene.call('POST', `${endpointPath}/test-webhook`, { bearer: shop, body: {} })
        await scene.call('DELETE', `${endpointPath}/webhook`, { bearer: shop })
      })
      await counting(CHALLENGE, async () => {
        const agentId = await ada.agent({ apiEndpoint: `${origin}/challenge`, pdlss: {} }).catch(() => null)
        const body = { agentId, counterpartyId: scene.svceId, enableRuntimeChallenge: true }
        if (agentId !== null) await scene.verify(body)
      })
      await counting(DOMAIN, async () => {
        const body = {
          counterpartyType: 'api',
          name: 'Shop',
          counterpartyUrl: `${origin}/shop`,
          trustScoreRequirement: 1,
        }
        const { body: registered } = await scene.call('POST', '/api/endpoints', { bearer: shop, body })
        if (!registered.svceId) return
        const path = `/api/endpoints/${registered.svceId}/verify-domain`
        await scene.call('POST', path, { bearer: shop, body: {} })
      })
      await counting(DIRECTORY, async () => {
        const url = 'https://shop.acme.io/orders/1'
        const facts = await bot.signed({ url, agent: `"${origin}"`, created: scene.time.now })
        await scene.verify({ counterpartyId: scene.svceId, callerMetadata: facts })
      })
    }
    const agentId = await ada.agent()
    const credentials = `/api/agents/${agentId}/credentials`
    for (const origin of origins) {
      await counting(DID, async () => {
        const value = `did:web:${origin.replace(/^\w+:\/\//, '').replace(/:(\d+)$/, '%3A$1')}`
        const holder = createCredentialHolder()
        const { challenge, audience } = (await ada.call('POST', `${credentials}/challenge`)).body
        const iat = Math.floor(scene.time.now / 1000)
        const proof = holder.token({ iss: value, aud: audience, nonce: challenge, iat })
        await ada.call('POST', credentials, { body: { type: 'did', value, challenge, proof } })
        await scene.verify({ counterpartyId: scene.svceId, credentials: [{ type: 'did', value }] })
      })
    }
    return contacts
  }

  async function contactsWith(settings: Record<string, string>, origins: readonly string[]) {
    const scene = await openOwnerScene(settings)
    try {
      return await fetchEverywhere(scene, await scene.owner(), origins)
    } finally {
      // Deferred requests are sent before the service stops, or never.
      await scene.service.stop()
    }
  }

  it('never reach this machine, regardless of who enters them and how', async function () {
    this.timeout(180_000)
    // `external/privateAddresses.test.ts` tries every outgoing request with all of them.
    const hosts = LOOPBACK_HOSTS.filter((_, at) => faultMode !== 'none' || at % 4 === 0)
    const origins = hosts.flatMap((host) => [
      `http://${host}:${canary.port}`,
      `https://${host}:${canary.port}`,
    ])
    const contacts = await contactsWith({ ALLOW_PRIVATE_NETWORK: 'false' }, origins)
    reportFaultFigure(
      `${origins.length} addresses of this machine in ${Object.keys(contacts).length} fields each: ${canary.contacts()} contacts with the canary`,
    )
    expect(contacts).to.deep.equal({ [WEBHOOK]: 0, [CHALLENGE]: 0, [DOMAIN]: 0, [DID]: 0, [DIRECTORY]: 0 })
    expect(canary.contacts()).to.equal(0)
  })

  it('are fetched where private addresses are allowed, except directories, which belong to no platform', async () => {
    const contacts = await contactsWith({}, [`http://127.0.0.1:${canary.port}`])
    expect(Object.entries(contacts).filter(([, count]) => count === 0)).to.deep.equal([[DIRECTORY, 0]])
  })
})
