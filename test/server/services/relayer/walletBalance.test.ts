import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { LocalChain } from '../../../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../../../server/chain/localNetwork.ts'
import { registerAgent } from '../../../builders/participants.ts'
import { createRpc } from '../../../harness/chain/createRpc.ts'
import { takeChain } from '../../../harness/chain/takeChain.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const RELAYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('a relayer without funds', () => {
  let chain: LocalChain
  let service: StartedService
  let rpc: ReturnType<typeof createRpc>
  let ahead = 0
  let svcId: string
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-purse-'))

  const start = (dailyBudgetEth: string) =>
    startService({
      dataDir,
      clock: () => Date.now() + ahead,
      settings: {
        RPC_URL: chain.url,
        RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
        RELAYER_DAILY_BUDGET_ETH: dailyBudgetEth,
        CONFIRMATIONS: '1',
        AUDIT_BATCH_SECONDS: '3600',
      },
    })
  const relayerCheck = async () => (await api(service.baseUrl, 'GET', '/api/health')).body.checks.relayer
  const saying = (detail: string) =>
    waitUntil(async () => {
      const check = await relayerCheck()
      return check.detail === detail ? check : null
    })
  const metric = async (name: string) => {
    const text = await (await fetch(`${service.baseUrl}/metrics`)).text()
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
    return line === undefined ? null : Number(line.split(' ')[1])
  }

  before(async () => {
    chain = await takeChain()
    rpc = createRpc(chain.url)
    service = await start('0.00001')
  })
  after(async () => {
    await service?.stop()
    await chain?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('reports in health and metrics that the daily budget is spent, and keeps pending intents', async () => {
    svcId = (await registerAgent(service.baseUrl)).svcId
    const check = await saying('the daily budget is spent')
    expect(check).to.deep.include({ status: 'warn', observed: { backlog: 1, budgetSpareGwei: 10_000 } })
    expect((await api(service.baseUrl, 'GET', '/api/health')).body.status).to.equal('warn')
    expect(await metric('svc_relayer_backlog')).to.equal(1)
    expect(await metric('svc_relayer_budget_spare_ether')).to.equal(0.00001)
    expect(await metric('svc_relayer_balance_low')).to.equal(0)
    expect(await metric('svc_relayer_active')).to.equal(1)
    expect(await metric('svc_chain_reachable')).to.equal(1)
  })

  it('reports that the wallet is empty, and keeps responding', async () => {
    const before = await rpc('eth_getBalance', [RELAYER, 'latest'])
    await rpc('hardhat_setBalance', [RELAYER, '0x1'])
    ahead += 15_000
    await registerAgent(service.baseUrl)
    expect(await saying('the relayer runs out of funds')).to.include({ status: 'warn' })
    expect(await metric('svc_relayer_balance_low')).to.equal(1)
    expect(await metric('svc_relayer_balance_ether')).to.be.below(0.000001)
    await rpc('hardhat_setBalance', [RELAYER, before])
  })

  it('continues by itself once funded', async () => {
    await service.stop()
    service = await start('1')
    const verified = waitUntil(async () => {
      const { body } = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)
      return body.agent.blockchainStatus === 'verified' ? true : null
    })
    ahead += 15_000
    await verified
    await waitUntil(async () => ((await metric('svc_relayer_backlog')) === 0 ? true : null))
    expect(await relayerCheck()).to.deep.include({ status: 'pass' })
    expect(await metric('svc_relayer_balance_low')).to.equal(0)
    expect(await metric('svc_relayer_budget_spare_ether')).to.be.within(0.9, 1)
  })
})
