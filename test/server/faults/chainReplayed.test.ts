import { execFileSync } from 'node:child_process'
import { agent, endpoint, organisation } from '../../builders/world.ts'
import { api } from '../../harness/api.ts'
import { startService } from '../../harness/startService.ts'
import { until } from '../../harness/until.ts'

const FINDS_CHILDREN = 'pgrep'

/** Ends the local chain of this process, as a crash would. */
function killChain(): void {
  const children = execFileSync(FINDS_CHILDREN, ['-P', String(process.pid), '-f', 'localChainProcess'])
  for (const pid of String(children).trim().split('\n')) process.kill(Number(pid), 'SIGKILL')
}

describe('a local chain that dies under a running service', () => {
  it('is replayed, and verifications say at once that identities are not final any more', async () => {
    const service = await startService()
    try {
      const shop = await organisation(service.baseUrl)
      const counterpartyId = await endpoint(service.baseUrl, shop.apiKey)
      const { svcId } = await agent(service.baseUrl)
      const status = async () => {
        const body = { counterpartyId, agentId: svcId, dryRun: true }
        const asked = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
          bearer: shop.apiKey,
          body,
        })
        return asked.body.agent.blockchainStatus as string
      }
      await until(async () => ((await status()) === 'verified' ? true : null))
      // Keeps the replayed identity where the replay has put it.
      await service.rows('UPDATE agents SET blockchain_status = ? WHERE svc_id = ?', 'pending', svcId)
      killChain()
      await until(async () => ((await status()) === 'pending' ? true : null))
      await until(async () => ((await status()) === 'verified' ? true : null))
    } finally {
      await service.stop()
    }
  }).timeout(240_000)
})
