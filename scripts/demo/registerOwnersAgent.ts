import { registerAgent } from '@svc/client'
import { http, parseAbi } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createNodeClient } from '../../server/chain/createNodeClient.ts'
import { callService } from './callService.ts'
import type { DemoContext } from './demoContext.ts'

/** What the owner allows the agent to do. Only the owner and the service know it. */
export const MANDATE = {
  purpose: { categories: ['shopping', 'read_data'], allowedActions: ['shopping.buy', 'read_data.list'] },
  duration: { maxSessionDuration: 1800, timezone: 'Europe/Berlin' },
  limits: { autonomousThreshold: 101, stepUpThreshold: 201, approvalThreshold: 503, currency: 'EUR' },
  scope: { resources: ['/orders/**', '/catalogue/**'], jurisdictions: ['DE', 'AT', 'CH'] },
  selfInstantiation: { allowed: false },
}

const ERC721 = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function tokenURI(uint256) view returns (string)',
])

/**
 * Registers an agent for an owner who has a key but no funds, and checks that the owner holds the token on chain.
 *
 * @returns The agent's identifier.
 */
export async function registerOwnersAgent(context: DemoContext, owner: PrivateKeyAccount): Promise<string> {
  const { baseUrl, narrator } = context
  narrator.chapter('1. An owner registers an agent, without gas')
  const registered = await registerAgent({
    apiBaseUrl: `${baseUrl}/api`,
    account: owner,
    agent: {
      name: 'Shopping assistant',
      description: 'Buys what is on the list, and nothing else.',
      agentType: 'assistant',
      model: { modelName: 'open-model-7b', modelProvider: 'self-hosted', modelType: 'llm' },
      framework: { frameworkName: 'in-house', frameworkVersion: '1.0' },
      pdlss: MANDATE,
    },
  })
  narrator.fact('owner key', owner.address)
  narrator.fact('agent', registered.svcId)
  narrator.fact('trust score', String(registered.trustScore))
  const agent = await narrator.waitFor(
    'the relayer mints the token',
    async () => {
      const { agent: view } = await callService(baseUrl, 'GET', `/api/agents/${registered.svcId}`)
      return view.blockchainStatus === 'verified' ? view : null
    },
    60,
  )
  narrator.check('the identity is verified on chain', agent !== null)
  if (agent) await checkToken(context, owner, agent)
  return registered.svcId
}

type ChainRecord = { agentId: string | number; agentRegistry: string }

async function checkToken(
  { baseUrl, rpcUrl, narrator }: DemoContext,
  owner: PrivateKeyAccount,
  agent: { svcId: string; onChainIdentity: ChainRecord },
): Promise<void> {
  const chain = createNodeClient(http(rpcUrl))
  const address = agent.onChainIdentity.agentRegistry.split(':')[2] as `0x${string}`
  const args = [BigInt(agent.onChainIdentity.agentId)] as const
  const [holder, tokenUri, balance] = await Promise.all([
    chain.readContract({ address, abi: ERC721, functionName: 'ownerOf', args }),
    chain.readContract({ address, abi: ERC721, functionName: 'tokenURI', args }),
    chain.getBalance({ address: owner.address }),
  ])
  narrator.fact('token', `#${agent.onChainIdentity.agentId} of ${agent.onChainIdentity.agentRegistry}`)
  narrator.check(
    'the owner’s key holds the token',
    holder.toLowerCase() === owner.address.toLowerCase(),
    holder,
  )
  narrator.check('the owner paid nothing: the balance is 0', balance === 0n, String(balance))
  const file = await callService(baseUrl, 'GET', new URL(tokenUri).pathname)
  narrator.fact('token URI', tokenUri)
  narrator.check(
    'its registration file names the agent and the token',
    file.svcId === agent.svcId && file.registrations?.[0]?.agentId === Number(agent.onChainIdentity.agentId),
    file,
  )
}
