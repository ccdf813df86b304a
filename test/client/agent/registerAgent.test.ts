import {
  createAgentClient,
  createKeyProof,
  exportPublicKey,
  generateAgentKey,
  type OwnerAccount,
  registerAgent,
  SvcApiError,
} from '@svc/client'
import { expect } from 'chai'
import { createPublicClient, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { listen } from '../../harness/peers/listen.ts'
import { api } from '../../harness/service/api.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'

describe('registerAgent', () => {
  it('reports a JSON that is no answer of the service, with its status', async () => {
    for (const body of ['null', '[]', '7', '{}', '{"data":null}', '{"data":{"agent":{}}}']) {
      const call = registerAgent({
        ...{ apiBaseUrl: 'https://registry.example/api', agent: { name: 'x' } as never },
        account: { address: `0x${'11'.repeat(20)}`, signMessage: async () => '0x00' },
        fetch: async () => new Response(body, { status: 203 }),
      })
      const error = await call.catch((one: unknown) => one)
      expect(error, body).to.include({ code: 'INVALID_RESPONSE', status: 203 })
    }
  })

  let service: StartedService

  before(async () => {
    service = await startService()
  })

  after(() => service.stop())

  const newAccount = () => privateKeyToAccount(generatePrivateKey())

  /** Waits until the relayer, which the service runs, has minted. */
  async function awaitVerified(svcId: string) {
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

  it('registers immediately, and mints with the consent of an owner without funds', async () => {
    const account = newAccount()
    const agent = await registerAgent({
      apiBaseUrl: `${service.baseUrl}/api/`,
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
    expect(await holderOf(await awaitVerified(agent.svcId))).to.equal(account.address)
  })

  it('takes the earlier baseUrl, and rejects a missing or wrong apiBaseUrl', async () => {
    const account = newAccount()
    const agent = { name: 'Earlier' }
    expect(await registerAgent({ baseUrl: `${service.baseUrl}/`, account, agent })).to.include(agent)
    const missing = await registerAgent({ account, agent }).catch(String)
    expect(missing).to.include('apiBaseUrl is missing')
    const wrong = await registerAgent({ apiBaseUrl: service.baseUrl, account, agent }).catch(String)
    expect(wrong).to.include('apiBaseUrl must be an http(s) URL ending in /api')
  })

  it('registers with keys that it proves to hold, with and without the owner’s consent', async () => {
    const [key, account] = [await generateAgentKey(), newAccount()]
    const { signTypedData: _, ...withoutConsent } = account
    for (const owner of [account, withoutConsent]) {
      const registered = await registerAgent({
        apiBaseUrl: `${service.baseUrl}/api`,
        account: owner,
        agent: { name: 'Prover', keys: [await exportPublicKey(key)] },
        keyProofs: async (agentId) => [
          await createKeyProof(key, { agentId, service: service.baseUrl.replace('127.0.0.1', 'localhost') }),
        ],
      })
      const rows = await service.rows<{ proven_at: unknown }>(
        'SELECT proven_at FROM agent_keys WHERE agent_id = ?',
        registered.svcId,
      )
      expect(rows.map(({ proven_at }) => proven_at !== null)).to.deep.equal([true])
    }
  })

  it('registers two agents of one owner in a row', async () => {
    const account = newAccount()
    const [one, two] = [
      await registerAgent({ apiBaseUrl: `${service.baseUrl}/api`, account, agent: { name: 'One' } }),
      await registerAgent({ apiBaseUrl: `${service.baseUrl}/api`, account, agent: { name: 'Two' } }),
    ]
    expect(one.svcId).not.to.equal(two.svcId)
    expect(await holderOf(await awaitVerified(one.svcId))).to.equal(account.address)
    expect(await holderOf(await awaitVerified(two.svcId))).to.equal(account.address)
  })

  it('registers agents of one owner concurrently', async () => {
    const account = newAccount()
    const names = ['One', 'Two', 'Three', 'Four']
    const agents = await Promise.all(
      names.map((name) => registerAgent({ apiBaseUrl: `${service.baseUrl}/api`, account, agent: { name } })),
    )
    for (const { svcId } of agents) {
      expect(await holderOf(await awaitVerified(svcId))).to.equal(account.address)
    }
  })

  it('registers for an account that cannot sign typed data, and transfers the token to the owner', async () => {
    const { address, signMessage } = newAccount()
    const account = { address, signMessage }
    const agent = await registerAgent({
      apiBaseUrl: `${service.baseUrl}/api`,
      account,
      agent: { name: 'Plain' },
    })
    expect(await holderOf(await awaitVerified(agent.svcId))).to.equal(address)
  })

  it('registers without a consent when the chain is unreachable', async () => {
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
    const agent = await registerAgent({ apiBaseUrl: `${server.url}/api`, account, agent: { name: 'Later' } })
    await server.stop()
    expect(agent.svcId).to.equal('SVC-1')
    expect(bodies).to.deep.equal(['{"name":"Later"}'])
  })

  describe('repeated with the same Idempotency-Key', () => {
    type Fetch = typeof fetch
    const isRegistration = (init?: RequestInit) => init?.method === 'POST'
    const timeOut = () => {
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    }
    /** Registers through a network that loses the response to each registration, or the request itself. */
    const loseResponses: Fetch = async (input, init) => {
      const answer = await fetch(input, init)
      return isRegistration(init) ? timeOut() : answer
    }
    const loseRequests: Fetch = async (input, init) => (isRegistration(init) ? timeOut() : fetch(input, init))
    const agentsOf = async (address: string) =>
      (
        await service.rows<{ svc_id: string }>(
          'SELECT svc_id FROM agents WHERE signer_address = ?',
          address.toLowerCase(),
        )
      ).map(({ svc_id }) => svc_id)
    /** Makes a call whose response is lost, and another one. */
    const registerTwice = async (account: OwnerAccount, lossy: Fetch, again: Fetch = fetch) => {
      const input = {
        apiBaseUrl: `${service.baseUrl}/api`,
        account,
        agent: { name: 'Once' },
        idempotencyKey: crypto.randomUUID(),
      }
      const lost = await registerAgent({ ...input, fetch: lossy }).catch((error: unknown) => error)
      expect(lost).to.be.instanceOf(SvcApiError).and.to.include({ code: 'TIMEOUT' })
      return registerAgent({ ...input, fetch: again, consentSeconds: 3_600 })
    }

    it('returns the agent whose response was lost, with a new consent', async () => {
      const account = newAccount()
      const agent = await registerTwice(account, loseResponses)
      expect(await agentsOf(account.address)).to.deep.equal([agent.svcId])
      expect(await holderOf(await awaitVerified(agent.svcId))).to.equal(account.address)
    })

    it('returns it also if either call has no consent', async () => {
      const { address, signMessage } = newAccount()
      const plain = await registerTwice({ address, signMessage }, loseResponses)
      expect(await agentsOf(address)).to.deep.equal([plain.svcId])
      const other = newAccount()
      const withoutChain: Fetch = async (input, init) =>
        isRegistration(init)
          ? fetch(input, init)
          : Response.json({ code: 'CHAIN_UNAVAILABLE' }, { status: 503, headers: { 'retry-after': '60' } })
      const { svcId } = await registerTwice(other, loseResponses, withoutChain)
      expect(await agentsOf(other.address)).to.deep.equal([svcId])
    })

    it('registers an agent whose first request never arrived', async () => {
      const account = newAccount()
      const agent = await registerTwice(account, loseRequests)
      expect(await agentsOf(account.address)).to.deep.equal([agent.svcId])
    })

    it('is rejected for another agent', async () => {
      const [account, idempotencyKey] = [newAccount(), crypto.randomUUID()]
      const input = { apiBaseUrl: `${service.baseUrl}/api`, account, idempotencyKey }
      await registerAgent({ ...input, agent: { name: 'One' } })
      const refused = await registerAgent({ ...input, agent: { name: 'Two' } }).catch(
        (error: unknown) => error,
      )
      expect(refused).to.include({ code: 'IDEMPOTENCY_CONFLICT' })
      expect(await agentsOf(account.address)).to.have.length(1)
    })

    it('returns the first agent again through the agent’s client', async () => {
      const account = newAccount()
      const client = createAgentClient({ apiBaseUrl: `${service.baseUrl}/api`, account })
      const idempotencyKey = crypto.randomUUID()
      const one = await client.register({ name: 'Once' }, { idempotencyKey })
      const two = await client.register({ name: 'Once' }, { idempotencyKey })
      expect(two.svcId).to.equal(one.svcId)
    })
  })

  it('names the invalid field', async () => {
    const refused = await registerAgent({
      apiBaseUrl: `${service.baseUrl}/api`,
      account: newAccount(),
      agent: { name: '' },
    }).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(SvcApiError)
    expect((refused as SvcApiError).code).to.equal('VALIDATION_ERROR')
    expect((refused as SvcApiError).errors[0]?.pointer).to.equal('/name')
  })
})
