import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import type { LocalChain } from '../../../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../../../server/chain/localNetwork.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { openNodeProxy } from '../../../harness/chain/openNodeProxy.ts'
import { takeChain } from '../../../harness/chain/takeChain.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('an agent whose identity the contract permanently rejects', () => {
  let chain: LocalChain
  let proxy: Awaited<ReturnType<typeof openNodeProxy>>
  let service: StartedService
  let shop: Organisation
  let counterpartyId: string

  before(async () => {
    chain = await takeChain()
    proxy = await openNodeProxy(chain.url)
    service = await startService({
      database: 'sqlite',
      settings: { RPC_URL: proxy.url, RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY, CONFIRMATIONS: '1' },
    })
    shop = await createOrganisation(service.baseUrl)
    counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
  })
  after(async () => {
    await service?.stop()
    proxy?.close()
    await chain?.stop()
  })

  const statusTold = async (agentId: string) => {
    const { status, body } = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { agentId, counterpartyId },
    })
    expect(status).to.equal(200)
    return body.agent.blockchainStatus as string
  }

  it('is reported as failed in the next response, although it was cached as pending', async () => {
    proxy.intercept(() => ({ status: 502, text: 'away' }))
    const { svcId } = await registerAgent(service.baseUrl)
    expect(await statusTold(svcId)).to.equal('pending')
    refuse(service.dataDir, svcId)
    proxy.intercept()
    await waitUntil(async () => {
      const { body } = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)
      return body.agent.blockchainStatus === 'failed' ? true : null
    })
    await waitUntil(async () => ((await statusTold(svcId)) === 'failed' ? true : null))
  })
})

/** Makes the mint invalid for any contract: its metadata contains the reserved key. */
function refuse(dataDir: string, svcId: string): void {
  const database = new Database(join(dataDir, 'svc.sqlite'))
  const key = `mint:${svcId}`
  const row = database.prepare('SELECT payload FROM relayer_intents WHERE idempotency_key = ?').get(key)
  const payload = JSON.parse((row as { payload: string }).payload)
  const metadata = [{ metadataKey: 'agentWallet', metadataValue: '0x00' }]
  const changed = JSON.stringify({ ...payload, metadata, consent: null })
  database.prepare('UPDATE relayer_intents SET payload = ? WHERE idempotency_key = ?').run(changed, key)
  database.close()
}
