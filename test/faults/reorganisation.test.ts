import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { createRpc } from '../harness/chain/createRpc.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { untilSettled } from '../harness/service/untilSettled.ts'

describe('a reorganisation that drops the latest blocks', () => {
  let service: StartedService
  let rpc: ReturnType<typeof createRpc>
  let shop: Organisation

  before(async () => {
    service = await startService()
    rpc = createRpc(service.rpcUrl)
    shop = await createOrganisation(service.baseUrl)
  })
  after(() => service.stop())

  const blockNumber = async () => Number(await rpc('eth_blockNumber'))
  const agentOf = async (svcId: string) =>
    (await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)).body.agent
  const statusIs = (svcId: string, status: string) =>
    waitUntil(async () => ((await agentOf(svcId)).blockchainStatus === status ? true : null))
  const health = async () => (await api(service.baseUrl, 'GET', '/api/health')).body

  it('is recovered from automatically while the service keeps serving', async () => {
    const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const survivor = (await registerAgent(service.baseUrl)).svcId
    await statusIs(survivor, 'verified')
    const before = await rpc('evm_snapshot')
    const start = await blockNumber()
    const lost = [(await registerAgent(service.baseUrl)).svcId, (await registerAgent(service.baseUrl)).svcId]
    for (const svcId of lost) await statusIs(svcId, 'verified')
    const verified = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { agentId: lost[0], counterpartyId: svceId },
    })
    const proofPath = `/api/audit/records/${verified.body.auditRecordId}/proof`
    const proven = () =>
      waitUntil(async () => {
        const { status, body } = await api(service.baseUrl, 'GET', proofPath)
        return status === 200 ? body : null
      })
    await proven()
    expect((await blockNumber()) - start).to.be.at.least(5)

    await rpc('evm_revert', [before])
    await rpc('hardhat_mine', ['0x6'])
    // The relayer's resends are held back, so that the intermediate state stays observable however fast it is.
    await rpc('evm_setAutomine', [false])

    for (const svcId of lost) await statusIs(svcId, 'pending')
    const answer = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { agentId: lost[0], counterpartyId: svceId },
    })
    expect(answer.status).to.equal(200)
    await rpc('evm_setAutomine', [true])
    await rpc('evm_mine')
    for (const svcId of lost) await statusIs(svcId, 'verified')
    expect((await agentOf(survivor)).blockchainStatus).to.equal('verified')
    const proof = await proven()
    const receipt = (await rpc('eth_getTransactionReceipt', [proof.transactionHash])) as { status: string }
    expect(receipt.status).to.equal('0x1')
    await untilSettled(service.baseUrl)
    expect((await health()).status).to.equal('pass')
  }).timeout(240_000)
})
