import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createPublicClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { reputationRegistry } from '../../../server/chain/artifacts/reputationRegistry.ts'
import { createAgentProver } from '../../builders/createAgentProver.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../../builders/participants.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { api } from '../../harness/service/api.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'

describe('published feedback', function () {
  this.timeout(120_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  let service: StartedService
  const start = async () => {
    service = await startService({ dataDir, settings: { PUBLISH_FEEDBACK: 'true' } })
  }

  before(start)
  after(async () => {
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const feedback = async () => {
    const { contracts } = (await api(service.baseUrl, 'GET', '/api/chain')).body
    const logs = await createPublicClient({ transport: http(service.rpcUrl) }).getContractEvents({
      address: contracts.reputationRegistry,
      abi: reputationRegistry.abi,
      eventName: 'NewFeedback',
      fromBlock: 0n,
      strict: true,
    })
    // Those that waited for the agent's identity are given in any order, and the index counts them in that order.
    return logs
      .map(({ args: { feedbackIndex, ...args } }) => args)
      .sort((a, b) => a.feedbackHash.localeCompare(b.feedbackHash))
  }
  const given = (count: number) =>
    waitUntil(async () => {
      const found = await feedback()
      const { body } = await api(service.baseUrl, 'GET', '/api/health')
      return found.length >= count && body.checks.relayer.observed.backlog === 0 ? found : null
    })

  it('is given again, each once, on a fresh development chain', async () => {
    const shop = await createOrganisation(service.baseUrl)
    const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const account = privateKeyToAccount(generatePrivateKey())
    const { svcId } = await registerAgent(service.baseUrl, {}, { account })
    const prover = createAgentProver(service.baseUrl, Date.now)
    prover.add(svcId, account)
    const decide = async (decision: string) => {
      const { sessionId } = (
        await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
          bearer: shop.apiKey,
          body: await prover.prove({ agentId: svcId, counterpartyId: svceId }),
        })
      ).body
      const path = `/api/agents/verify-access/${sessionId}/decision`
      await api(service.baseUrl, 'POST', path, { bearer: shop.apiKey, body: { decision } })
    }
    await decide('granted')
    await decide('denied')
    const before = await given(2)
    expect(before.map(({ tag2 }) => tag2)).to.have.members(['granted', 'denied'])
    await service.stop()
    await start()
    expect(await given(2)).to.deep.equal(before)
  })
})
