import { expect } from 'chai'
import type { LocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { createRpc } from '../harness/chain/createRpc.ts'
import { openNodeProxy, type ProxyAction } from '../harness/chain/openNodeProxy.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

describe('the service over an unreachable or failing chain', () => {
  let chain: LocalChain
  let proxy: Awaited<ReturnType<typeof openNodeProxy>>
  let rpc: ReturnType<typeof createRpc>
  let service: StartedService
  let shop: Organisation
  let counterpartyId: string
  let ahead = 0

  before(async () => {
    chain = await takeChain()
    rpc = createRpc(chain.url)
    proxy = await openNodeProxy(chain.url)
    service = await startService({
      clock: () => Date.now() + ahead,
      settings: {
        RPC_URL: proxy.url,
        RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
        CONFIRMATIONS: '1',
        AUDIT_BATCH_SECONDS: '1',
      },
    })
    shop = await createOrganisation(service.baseUrl)
    counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
  })
  after(async () => {
    await service?.stop()
    proxy?.close()
    await chain?.stop()
  })

  const decide = (agentId: string) =>
    api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { agentId, counterpartyId },
    })
  const relayerCheck = async () => (await api(service.baseUrl, 'GET', '/api/health')).body.checks.relayer

  /** Uses the service as a caller would while the fault lasts. */
  async function useIt(): Promise<{ svcId: string; auditRecordId: string }> {
    const { svcId } = await registerAgent(service.baseUrl)
    const decided = await decide(svcId)
    expect(decided.status).to.equal(200)
    expect(decided.body.agent.blockchainStatus).to.equal('pending')
    const { auditRecordId } = decided.body
    // A lookup that the busy feed cannot complete in time returns 503 and is repeated.
    const proof = await waitUntil(async () => {
      const answer = await api(service.baseUrl, 'GET', `/api/audit/records/${auditRecordId}/proof`)
      return answer.status === 503 ? null : answer
    })
    expect([proof.status, proof.body.code]).to.deep.equal([404, 'NOT_ANCHORED_YET'])
    expect((await api(service.baseUrl, 'GET', '/api/chain')).status).to.equal(200)
    return { svcId, auditRecordId }
  }

  async function expectDrained({ svcId, auditRecordId }: { svcId: string; auditRecordId: string }) {
    ahead += 30_000
    await waitUntil(async () => {
      const { body } = await decide(svcId)
      return body.agent.blockchainStatus === 'verified' ? true : null
    })
    await waitUntil(async () => {
      const { status } = await api(service.baseUrl, 'GET', `/api/audit/records/${auditRecordId}/proof`)
      return status === 200 ? true : null
    })
    await waitUntil(async () => ((await relayerCheck()).status === 'pass' ? true : null))
  }

  const faults: [string, ProxyAction][] = [
    ['hangs', 'hang'],
    ['is out of order', { status: 502, text: 'bad gateway' }],
    ['answers nonsense', { result: { nonsense: true } }],
  ]
  for (const [name, fault] of faults) {
    it(`keeps serving while the node ${name}, and catches up afterwards`, async () => {
      proxy.intercept(() => fault)
      ahead += 20_000
      const used = await useIt()
      if (fault !== 'hang') {
        await waitUntil(async () => ((await relayerCheck()).status === 'warn' ? true : null))
      }
      proxy.intercept()
      await expectDrained(used)
    }).timeout(240_000)
  }

  it('keeps serving while transactions are dropped instead of mined, and catches up afterwards', async () => {
    await rpc('evm_setAutomine', [false])
    const used = await useIt()
    const pending = async () => {
      const block = (await rpc('eth_getBlockByNumber', ['pending', false])) as { transactions: string[] }
      return block.transactions.length === 0 ? null : block.transactions
    }
    for (const hash of await waitUntil(pending)) await rpc('hardhat_dropTransaction', [hash])
    expect((await decide(used.svcId)).body.agent.blockchainStatus).to.equal('pending')
    ahead += 40_000
    await waitUntil(pending)
    await rpc('evm_setAutomine', [true])
    await rpc('hardhat_mine', ['0x1'])
    await expectDrained(used)
  }).timeout(240_000)

  it('keeps serving while the wallet is empty, and catches up once it is funded', async () => {
    const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const balance = await rpc('eth_getBalance', [account, 'latest'])
    await rpc('hardhat_setBalance', [account, '0x1'])
    const used = await useIt()
    await waitUntil(async () => ((await relayerCheck()).status === 'warn' ? true : null))
    await rpc('hardhat_setBalance', [account, balance])
    ahead += 60_000
    await expectDrained(used)
  }).timeout(240_000)
})
