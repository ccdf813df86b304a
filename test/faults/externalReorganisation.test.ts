import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { LocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { registerAgent } from '../builders/participants.ts'
import { createRpc } from '../harness/chain/createRpc.ts'
import { openLogReader } from '../harness/chain/openLogReader.ts'
import { readRegistrations } from '../harness/chain/readRegistrations.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

describe('a reorganisation of an external chain', function () {
  this.timeout(240_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-fork-'))
  let chain: LocalChain
  let rpc: ReturnType<typeof createRpc>
  let service: StartedService
  let mining: NodeJS.Timeout
  let ahead = 0

  const start = () =>
    startService({
      dataDir,
      clock: () => Date.now() + ahead,
      settings: {
        RPC_URL: chain.url,
        RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
        CONFIRMATIONS: '3',
        AUDIT_BATCH_SECONDS: '1',
      },
    })
  const keepMining = () => {
    mining = setInterval(() => rpc('hardhat_mine', ['0x1']).catch(() => undefined), 100)
  }
  const statusOf = async (svcId: string) =>
    (await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)).body.agent.blockchainStatus as string
  /** The clock keeps running, because the relayer waits between polls. */
  const soon = <Value>(look: () => Promise<Value | null>) =>
    waitUntil(async () => {
      ahead += 500
      return await look()
    })
  const becomes = (svcId: string, status: string) =>
    soon(async () => ((await statusOf(svcId)) === status ? true : null))
  const blockNumber = async () => Number(await rpc('eth_blockNumber'))
  const batchesNewestFirst = async () =>
    (await api(service.baseUrl, 'GET', '/api/audit/batches')).body.items as { status: string }[]

  before(async () => {
    chain = await takeChain()
    rpc = createRpc(chain.url)
    keepMining()
    service = await start()
  })
  after(async () => {
    clearInterval(mining)
    await service?.stop()
    await chain?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('brings agents in every state and all batches back on chain, even across a restart', async () => {
    const survivor = (await registerAgent(service.baseUrl)).svcId
    await becomes(survivor, 'verified')
    await soon(async () => ((await openWork()) === 0 ? true : null))
    clearInterval(mining)
    const before = await rpc('evm_snapshot')
    const first = await blockNumber()
    keepMining()
    const final = (await registerAgent(service.baseUrl)).svcId
    await becomes(final, 'verified')
    await soon(async () => ((await openWork()) === 0 ? true : null))
    clearInterval(mining)
    const mined = (await registerAgent(service.baseUrl)).svcId
    const minedFrom = await blockNumber()
    await soon(async () => ((await blockNumber()) > minedFrom ? true : null))
    await rpc('evm_setAutomine', [false])
    const sent = (await registerAgent(service.baseUrl)).svcId
    expect(await statusOf(mined)).to.equal('pending')
    expect((await blockNumber()) - first).to.be.at.least(5)
    const batchesBefore = (await batchesNewestFirst()).length

    await rpc('evm_revert', [before])
    await rpc('hardhat_mine', ['0x14'])
    await becomes(final, 'pending')
    expect(await statusOf(survivor)).to.equal('verified')
    await soon(async () => ((await batchesNewestFirst())[0]?.status === 'sealed' ? true : null))

    await service.stop()
    service = await start()
    expect(await statusOf(final)).to.equal('pending')
    await rpc('evm_setAutomine', [true])
    keepMining()
    for (const svcId of [final, mined, sent, survivor]) await becomes(svcId, 'verified')
    await soon(async () => ((await openWork()) === 0 ? true : null))
    await expectOnceOnChain([survivor, final, mined, sent], batchesBefore)
  })

  async function openWork(): Promise<number> {
    const { body } = await api(service.baseUrl, 'GET', '/api/health')
    return body.checks.relayer.observed.backlog
  }

  async function expectOnceOnChain(svcIds: string[], batchesBefore: number): Promise<void> {
    const { body } = await api(service.baseUrl, 'GET', '/api/chain')
    const minted = await readRegistrations(chain.url, body.contracts.identityRegistry)
    expect(
      minted.map(({ agentURI }) => svcIds.filter((svcId) => agentURI.includes(svcId)).length),
    ).to.deep.equal(svcIds.map(() => 1))
    expect(new Set(minted.map(({ agentURI }) => agentURI)).size).to.equal(svcIds.length)
    const log = openLogReader(chain.url, { contract: body.contracts.auditLog, logId: body.logId })
    const batches = await log.batches()
    expect(batches.map(({ number }) => number)).to.deep.equal(batches.map((_, index) => index + 1))
    expect(batches.length).to.be.at.least(batchesBefore)
    // Decisions that the recovery itself causes may be sealed after everything that was waited for.
    await soon(async () => ((await batchesNewestFirst())[0]?.status === 'confirmed' ? true : null))
  }
})
