import { expect } from 'chai'
import { createPublicClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { reputationRegistry } from '../../../../../server/chain/artifacts/reputationRegistry.ts'
import type { Hex } from '../../../../../server/chain/chainTypes.ts'
import { createAgentProver } from '../../../../builders/createAgentProver.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../../builders/participants.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { api } from '../../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../../harness/service/startService.ts'
import { untilSettled } from '../../../../harness/service/untilSettled.ts'

describe('publishing of decisions as feedback', () => {
  let service: StartedService
  let shop: Organisation
  let svceId: string
  let registry: Hex
  let prover: ReturnType<typeof createAgentProver>

  const open = async (settings: Record<string, string>) => {
    service = await startService({ settings })
    prover = createAgentProver(service.baseUrl, Date.now)
    shop = await createOrganisation(service.baseUrl)
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const { body } = await api(service.baseUrl, 'GET', '/api/chain')
    registry = body.contracts.reputationRegistry
  }
  afterEach(() => service.stop())

  const verifiedAgent = async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { svcId } = await registerAgent(service.baseUrl, {}, { account })
    prover.add(svcId, account)
    const chainAgentId = await waitUntil(async () => {
      const { body } = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)
      return body.agent.blockchainStatus === 'verified' ? body.agent.onChainIdentity.agentId : null
    })
    return { svcId, chainAgentId: BigInt(chainAgentId) }
  }
  const decide = async (svcId: string, decision: string) => {
    const { body } = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: await prover.prove({ agentId: svcId, counterpartyId: svceId }),
    })
    const path = `/api/agents/verify-access/${body.sessionId}/decision`
    const answer = () =>
      api(service.baseUrl, 'POST', path, { bearer: shop.apiKey, body: { decision, reason: 'secret reason' } })
    expect((await answer()).status).to.equal(200)
    expect((await answer()).status).to.equal(200)
    return body.auditRecordId as string
  }
  const feedbackOf = (agentId: bigint) => {
    const client = createPublicClient({ transport: http(service.rpcUrl) })
    return client.getContractEvents({
      address: registry,
      abi: reputationRegistry.abi,
      eventName: 'NewFeedback',
      args: { agentId },
      fromBlock: 0n,
      strict: true,
    })
  }
  const settled = () => untilSettled(service.baseUrl)

  it('publishes whether the agent was admitted, with the hash of the audit record and nothing that names it', async () => {
    await open({ PUBLISH_FEEDBACK: 'true' })
    const { svcId, chainAgentId } = await verifiedAgent()
    const granted = await decide(svcId, 'granted')
    await decide(svcId, 'denied')
    await decide(svcId, 'deferred')
    const logs = await waitUntil(async () => {
      const found = await feedbackOf(chainAgentId)
      return found.length >= 2 ? found : null
    })
    await settled()
    expect((await feedbackOf(chainAgentId)).length).to.equal(2)
    const said = logs.map(({ args }) => [args.value, args.valueDecimals, args.tag1, args.tag2, args.endpoint])
    expect(said).to.deep.equal([
      [1n, 0, 'svc-decision', 'granted', ''],
      [0n, 0, 'svc-decision', 'denied', ''],
    ])
    const first = logs[0]?.args
    const proof = await waitUntil(async () => {
      const { status, body } = await api(service.baseUrl, 'GET', `/api/audit/records/${granted}/proof`)
      return status === 200 ? body : null
    })
    expect(first?.feedbackHash).to.equal(proof.leafHash)
    const text = JSON.stringify(logs, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
    // The address of a record's public proof would name the counterparty and the session.
    for (const part of ['secret', granted, svceId, shop.organizationId, 'http'])
      expect(text).to.not.contain(part)
  })

  it('is off by default', async () => {
    await open({})
    const { svcId, chainAgentId } = await verifiedAgent()
    await decide(svcId, 'granted')
    await settled()
    expect(await feedbackOf(chainAgentId)).to.deep.equal([])
  })
})
