import { registerAgent, SvcApiError } from '@svc/client'
import { expect } from 'chai'
import { createPublicClient, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { api } from '../harness/api.ts'
import { listen } from '../harness/listen.ts'
import { type StartedService, startService } from '../harness/startService.ts'

describe('registerAgent', () => {
  let service: StartedService

  before(async () => {
    service = await startService()
  })

  after(() => service.stop())

  const newAccount = () => privateKeyToAccount(generatePrivateKey())

  /** Asks until the relayer has minted; the service's own loop drives it. */
  async function verifiedAgent(svcId: string) {
    for (let polls = 0; polls < 400; polls += 1) {
      const { body } = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)
      if (body.agent.blockchainStatus === 'verified') return body.agent
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`${svcId} was not minted`)
  }

  async function holderOf(agent: { onChainIdentity: { agentId: number; agentRegistry: string } }) {
    const { agentId, agentRegistry } = agent.onChainIdentity
    const chain = createPublicClient({ transport: http(service.rpcUrl) })
    return chain.readContract({
      address: agentRegistry.split(':')[2] as `0x${string}`,
      abi: parseAbi(['function ownerOf(uint256) view returns (address)']),
      functionName: 'ownerOf',
      args: [BigInt(agentId)],
    })
  }

  it('registers at once and mints for an owner without money, with the owner’s consent', async () => {
    const account = newAccount()
    const agent = await registerAgent({
      baseUrl: `${service.baseUrl}/`,
      account,
      agent: {
        name: 'Buyer',
        model: { modelName: 'm', modelProvider: 'p', modelType: 'llm' },
        pdlss: { purpose: { categories: ['shopping'] } },
      },
    })
    expect(agent).to.include({ name: 'Buyer', agentStatus: 'active' })
    expect(agent.kyaAgentId).to.equal(agent.svcId)
    expect(agent.trustScore).to.be.within(0, 100)
    expect(await holderOf(await verifiedAgent(agent.svcId))).to.equal(account.address)
  })

  it('registers two agents of one owner one after the other', async () => {
    const account = newAccount()
    const [one, two] = [
      await registerAgent({ baseUrl: service.baseUrl, account, agent: { name: 'One' } }),
      await registerAgent({ baseUrl: service.baseUrl, account, agent: { name: 'Two' } }),
    ]
    expect(one.svcId).not.to.equal(two.svcId)
    expect(await holderOf(await verifiedAgent(one.svcId))).to.equal(account.address)
    expect(await holderOf(await verifiedAgent(two.svcId))).to.equal(account.address)
  })

  it('registers agents of one owner at once', async () => {
    const account = newAccount()
    const names = ['One', 'Two', 'Three', 'Four']
    const agents = await Promise.all(
      names.map((name) => registerAgent({ baseUrl: service.baseUrl, account, agent: { name } })),
    )
    for (const { svcId } of agents) {
      expect(await holderOf(await verifiedAgent(svcId))).to.equal(account.address)
    }
  })

  it('registers for an account that cannot sign typed data; the token becomes the owner’s all the same', async () => {
    const { address, signMessage } = newAccount()
    const account = { address, signMessage }
    const agent = await registerAgent({ baseUrl: service.baseUrl, account, agent: { name: 'Plain' } })
    expect(await holderOf(await verifiedAgent(agent.svcId))).to.equal(address)
  })

  it('registers without the consent when the chain does not answer', async () => {
    const bodies: string[] = []
    const server = await listen(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      const isOwner = req.url?.startsWith('/api/chain/') === true
      if (!isOwner) bodies.push(body)
      res.writeHead(isOwner ? 503 : 201, { 'content-type': 'application/json', 'retry-after': '60' })
      res.end(
        JSON.stringify(isOwner ? { code: 'CHAIN_UNAVAILABLE' } : { data: { agent: { svcId: 'SVC-1' } } }),
      )
    })
    const account = newAccount()
    const agent = await registerAgent({ baseUrl: server.url, account, agent: { name: 'Later' } })
    await server.stop()
    expect(agent.svcId).to.equal('SVC-1')
    expect(bodies).to.deep.equal(['{"name":"Later"}'])
  })

  it('says which field is wrong', async () => {
    const refused = await registerAgent({
      baseUrl: service.baseUrl,
      account: newAccount(),
      agent: { name: '' },
    }).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(SvcApiError)
    expect((refused as SvcApiError).code).to.equal('VALIDATION_ERROR')
    expect((refused as SvcApiError).errors[0]?.pointer).to.equal('/name')
  })
})
