import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { startIpfsNode } from '../../../../harness/peers/startIpfsNode.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { newPerson, type Person } from '../openRegistry.ts'
import { type Custody, openCustody } from './openCustody.ts'

describe('registration files in IPFS', function () {
  this.timeout(120_000)
  let node: Awaited<ReturnType<typeof startIpfsNode>>
  let custody: Custody
  let owner: Person

  before(async () => {
    node = await startIpfsNode()
    custody = await openCustody({ IPFS_API_URL: node.url })
    owner = await newPerson({ call: custody.call })
  })
  after(async () => {
    await custody?.close()
    await node?.stop()
  })

  const fileOf = async (svcId: string) =>
    (await fetch(`${custody.url()}/registration-files/${svcId}.json`)).text()
  /** The state of the token on chain. */
  const tokenUri = async (svcId: string) => {
    const { agentId } = (await custody.call('GET', `/api/agents/${svcId}`)).body.agent.onChainIdentity
    const { identity, readHead } = custody.chain()
    return (await identity.readToken(await custody.registry(), BigInt(agentId), (await readHead()).number))
      ?.uri
  }
  const current = (svcId: string) =>
    custody.seen(svcId, { blockchainStatus: 'verified', isTokenUriCurrent: true })

  it('are where tokens point, with exactly the committed bytes', async () => {
    const svcId = await custody.register(owner.developerId)
    const { onChainIdentity } = await current(svcId)
    expect(onChainIdentity.tokenUri).to.match(/^ipfs:\/\/bafkrei[a-z2-7]{52}$/)
    expect(await tokenUri(svcId)).to.equal(onChainIdentity.tokenUri)
    const text = node.kept.get(onChainIdentity.tokenUri.slice('ipfs://'.length)) ?? ''
    expect(text).to.equal(await fileOf(svcId))
    const { agent } = (await custody.call('GET', `/api/agents/${svcId}`, { bearer: owner.bearer })).body
    expect(sha256Hex(text)).to.equal(agent.registrationFileHash)
    expect(JSON.parse(text).registrations[0].agentId).to.equal(onChainIdentity.agentId)
  })

  it('are updated after a change of the agent', async () => {
    const svcId = await custody.register(owner.developerId)
    const before = (await current(svcId)).onChainIdentity.tokenUri
    const change = { bearer: owner.bearer, body: { name: 'Renamed' } }
    expect((await custody.call('PATCH', `/api/agents/${svcId}`, change)).status).to.equal(200)
    const after = (await current(svcId)).onChainIdentity.tokenUri
    expect(after).to.not.equal(before)
    expect(JSON.parse(node.kept.get(after.slice('ipfs://'.length)) ?? '').name).to.equal('Renamed')
  })

  for (const mood of ['out of order', 'lying'] as const) {
    it(`wait for a node that is ${mood}: the agent is verified, and its token points to the host`, async () => {
      node.mood = mood
      const [asked, kept] = [node.requests, node.kept.size]
      const svcId = await custody.register(owner.developerId)
      await waitUntil(async () => (node.requests > asked + 1 ? true : null))
      const { tokenUri, isTokenUriCurrent } = (await custody.seen(svcId, { blockchainStatus: 'verified' }))
        .onChainIdentity
      expect([tokenUri, isTokenUriCurrent]).to.deep.equal([
        `https://first.svc-host.io/registration-files/${svcId}.json`,
        false,
      ])
      expect(node.kept.size > kept).to.equal(mood === 'lying')
      node.mood = 'well'
      expect((await current(svcId)).onChainIdentity.tokenUri).to.match(/^ipfs:/)
    })
  }
})
