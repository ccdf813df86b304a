import { expect } from 'chai'
import { toHex } from 'viem'
import { registerEndpoint } from '../../../builders/participants.ts'
import { signAsAccount } from '../../../builders/signAsAccount.ts'
import {
  type ForeignAccount,
  type ForeignScene,
  foreignAccount,
  openForeignRegistry,
} from '../../../harness/chain/openForeignRegistry.ts'
import { hasFrameworks } from '../../../harness/runner/hasFrameworks.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const URL_SIGNED = 'https://couriers.acme.io/orders/1'
const COURIER = { name: 'Courier', description: 'Delivers parcels' }
const SERVICES = { ens: 'courier.eth', mcp: 'https://courier.example/mcp' }

describe('agent0-sdk, a program that others use for ERC-8004', function () {
  this.timeout(180_000)
  const holder = foreignAccount(3)
  const buyer = foreignAccount(4)
  let sdk: typeof import('../../../../frameworks/agent0.ts')
  let foreign: ForeignScene
  let scene: OwnerScene

  before(async function () {
    if (!hasFrameworks()) return this.skip()
    sdk = await import('../../../../frameworks/agent0.ts')
    foreign = await openForeignRegistry()
    scene = await openOwnerScene({ FOREIGN_REGISTRIES: foreign.setting, ALLOW_PRIVATE_NETWORK: 'true' })
    return undefined
  })
  after(async () => {
    await scene?.service.stop()
    await foreign?.stop()
  })

  const registryOf = ({ getHdKey }: ForeignAccount) => {
    const privateKey = toHex(getHdKey().privateKey ?? new Uint8Array())
    return { chainId: 31_337, rpcUrl: foreign.url, address: foreign.registry, privateKey }
  }

  it('registers an agent that is adopted, granted with proof, and refused one block after its transfer', async () => {
    const ada = await scene.owner()
    const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, {
      counterpartyUrl: 'https://couriers.acme.io/orders',
    })
    const { token, bindFile, transfer } = await sdk.registerByAgent0(registryOf(holder), COURIER, SERVICES)
    const state = () => ada.call('POST', '/api/agents/adopt/statement', { body: { token } })
    // The registry gives an agent its number, so a file cannot name its token before.
    const unbound = (await state()).body
    expect(unbound.errors?.[0]?.code, JSON.stringify(unbound)).to.equal('file_not_bound')
    await bindFile()
    // What is wrong with a file counts for ten seconds.
    scene.time.now += 11_000
    const { agent: shown, message, expiresAt } = (await state()).body
    expect(shown).to.deep.include({ name: COURIER.name, owner: holder.address.toLowerCase() })
    expect(shown.services).to.deep.equal([
      { name: 'ENS', endpoint: SERVICES.ens },
      { name: 'MCP', endpoint: SERVICES.mcp },
    ])
    const signature = await holder.signMessage({ message })
    const pdlss = { purpose: { categories: ['shopping'] } }
    const adopted = await ada.call('POST', '/api/agents/adopt', {
      body: { token, expiresAt, signature, pdlss },
    })
    expect(adopted.status, JSON.stringify(adopted.body)).to.equal(201)

    const verify = async (by: ForeignAccount) => {
      const created = Math.floor(scene.time.now / 1000)
      const callerMetadata = await signAsAccount(by, { name: token, url: URL_SIGNED, created })
      const credentials = [{ type: 'erc8004', value: token }]
      const asked = { counterpartyId, purpose: 'shopping:buy', resource: '/orders/1' }
      const { body } = await scene.verifyUnproven({ ...asked, callerMetadata, credentials })
      return [body.recommendation, body.identityProof]
    }
    expect(await verify(holder)).to.deep.equal(['grant', 'signature'])
    expect(await verify(buyer)).to.deep.equal(['deny', 'none'])

    await transfer(buyer.address)
    await foreign.mine()
    // What was read of a token counts for a second.
    scene.time.now += 1_001
    expect(await verify(holder)).to.deep.equal(['deny', 'none'])
  })

  it('reads an agent of this registry as it is registered', async () => {
    const owner = await scene.owner()
    const description = 'Buys things'
    const mcp = { endpoint: 'https://buyer.example/mcp' }
    const svcId = await owner.agent({ name: 'Reader', description, mcp })
    const { agentId, agentRegistry } = await waitUntil(async () => {
      const { agent } = (await owner.call('GET', `/api/agents/${svcId}`)).body
      return agent.blockchainStatus === 'verified' ? agent.onChainIdentity : null
    })
    const [, chainId, address] = agentRegistry.split(':')
    const registry = { chainId: Number(chainId), rpcUrl: scene.service.rpcUrl, address }
    expect(await sdk.readByAgent0(registry, agentId)).to.deep.equal({
      ...{ name: 'Reader', description, active: true, x402support: false },
      services: [{ name: 'MCP', endpoint: mcp.endpoint }],
    })
  })
})
