import { execFileSync } from 'node:child_process'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startService } from '../harness/service/startService.ts'

const FINDS_CHILDREN = 'pgrep'

/** Kills the local chain of this process, as a crash would. */
function killChain(): void {
  const children = execFileSync(FINDS_CHILDREN, ['-P', String(process.pid), '-f', 'localChainProcess'])
  for (const pid of String(children).trim().split('\n')) process.kill(Number(pid), 'SIGKILL')
}

describe('a local chain that dies under a running service', () => {
  it('is replayed, and verifications immediately report identities as no longer final', async () => {
    const service = await startService()
    try {
      const shop = await createOrganisation(service.baseUrl)
      const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
      const [left, replayed] = [await registerAgent(service.baseUrl), await registerAgent(service.baseUrl)]
      const status = async ({ svcId }: { svcId: string }) => {
        const body = { counterpartyId, agentId: svcId }
        const response = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
          bearer: shop.apiKey,
          body,
        })
        return response.body.agent.blockchainStatus as string
      }
      const becomes = (which: { svcId: string }, wanted: string) =>
        waitUntil(async () => ((await status(which)) === wanted ? true : null))
      await becomes(left, 'verified')
      await becomes(replayed, 'verified')
      // A failed mint is not sent again, so the state `pending` stays observable.
      await service.rows(
        "UPDATE relayer_intents SET status = 'failed' WHERE kind = 'identity.mint' AND idempotency_key LIKE ?",
        `%${left.svcId}%`,
      )
      await service.rows('UPDATE agents SET blockchain_status = ? WHERE svc_id = ?', 'pending', left.svcId)
      killChain()
      await becomes(left, 'pending')
      await becomes(replayed, 'verified')
    } finally {
      await service.stop()
    }
  }).timeout(240_000)
})
