import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { createPublicClient, createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { hardhat } from 'viem/chains'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import type { Hex } from '../../server/chain/chainTypes.ts'
import type { LocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { batchKeyOf, batchKeysOf } from '../../server/store/audit/batchStore.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { createRpc } from '../harness/chain/createRpc.ts'
import { openLogReader } from '../harness/chain/openLogReader.ts'
import { readRegistrations } from '../harness/chain/readRegistrations.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { runScript } from '../harness/service/runScript.ts'
import { type SpawnedService, spawnService } from '../harness/service/spawnService.ts'

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts')
const AGENTS = 4
const CLIENTS = 4
const BLOCK_MS = 100

describe('a relayer whose key is changed under load, with kills in between', function () {
  this.timeout(180_000)
  const folder = createTemporaryFolder()
  const former = privateKeyToAccount(LOCAL_CHAIN_KEY)
  const presentKey = generatePrivateKey()
  const present = privateKeyToAccount(presentKey)
  const answered: string[] = []
  let settings: Record<string, string>
  let chain: LocalChain
  let rpc: ReturnType<typeof createRpc>
  let mining: NodeJS.Timeout
  let service: SpawnedService
  let shop: Organisation
  let svceId: string
  let load: Promise<unknown>
  let isLoading = true
  let at: { contracts: Record<'identityRegistry' | 'auditLog', Hex>; logIds: Hex[] }
  let formerCount: number

  const rows = <Row>(sql: string, ...values: string[]): Row[] => {
    const database = new Database(join(folder.path, 'svc.sqlite'), { readonly: true })
    try {
      return database.prepare(sql).all(...values) as Row[]
    } finally {
      database.close()
    }
  }
  const count = (sql: string, ...values: string[]) => rows<{ n: number }>(sql, ...values)[0]?.n ?? 0
  const nonceOf = (address: Hex) =>
    createPublicClient({ transport: http(chain.url) }).getTransactionCount({ address })
  const both = () => ({
    ...settings,
    RELAYER_PRIVATE_KEY: presentKey,
    RELAYER_PRIVATE_KEY_FORMER: LOCAL_CHAIN_KEY,
  })
  const restart = async (next: Record<string, string>) => {
    await service.end('SIGKILL')
    service = await spawnService(next)
  }
  const decide = async () => {
    const body = { counterpartyId: svceId, purpose: 'shopping:buy' }
    const asked = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body,
    })
    if (asked.body.auditRecordId) answered.push(asked.body.auditRecordId)
  }
  const keepDeciding = async () => {
    while (isLoading) {
      await decide().catch(() => pause(50))
      await pause(20)
    }
  }
  /** Registers an agent, and has its owner give the token to the relayer, which is then its custodian. */
  const giveToFormer = async (agentId: number) => {
    const { svcId, account } = await registerAgent(service.baseUrl)
    await waitUntil(
      async () =>
        count(
          `SELECT count(*) AS n FROM agents WHERE blockchain_status = 'verified' AND svc_id = ?`,
          svcId,
        ) || null,
    )
    await rpc('hardhat_setBalance', [account.address, '0x8ac7230489e80000'])
    const owner = createWalletClient({ account, transport: http(chain.url), chain: hardhat })
    await owner.writeContract({
      address: at.contracts.identityRegistry,
      abi: identityRegistry.abi,
      functionName: 'transferFrom',
      args: [account.address, former.address, BigInt(agentId)],
    })
  }
  const startRotation = (): ChildProcess =>
    spawn(process.execPath, [join(SCRIPTS, 'rotateRelayer.ts')], {
      env: { PATH: process.env.PATH, ...both() },
      stdio: 'ignore',
    })
  const isHandedOver = () =>
    count(
      `SELECT count(*) AS n FROM relayer_intents WHERE kind = 'audit.accept' AND settled_at IS NOT NULL`,
    ) > 0

  before(async () => {
    chain = await takeChain()
    rpc = createRpc(chain.url)
    mining = setInterval(() => rpc('hardhat_mine', ['0x1']).catch(() => undefined), BLOCK_MS)
    settings = {
      DATA_DIR: folder.path,
      REGISTRATION_FILES_DIR: join(folder.path, 'registration-files'),
      PORT: String(await findFreePort()),
      RPC_URL: chain.url,
      RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
      RELAYER_DAILY_BUDGET_ETH: '1000',
      CONFIRMATIONS: '2',
      VERIFY_RATE_PER_MINUTE: '100000000',
      AUDIT_BATCH_SECONDS: '1',
      AUDIT_LOGS: '2',
      LOG_LEVEL: 'error',
    }
    service = await spawnService(settings)
    shop = await createOrganisation(service.baseUrl)
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
    at = (await api(service.baseUrl, 'GET', '/api/chain')).body
    for (let nth = 0; nth < AGENTS; nth += 1) await giveToFormer(nth + 1)
    load = Promise.all(Array.from({ length: CLIENTS }, keepDeciding))
  })
  after(async () => {
    isLoading = false
    await load
    await service?.end('SIGKILL')
    clearInterval(mining)
    await chain?.stop()
    folder.remove()
  })

  it('refuses to begin while the new account cannot pay', async () => {
    await waitUntil(
      async () =>
        count(`SELECT count(*) AS n FROM agent_tokens WHERE custody = 'registry'`) === AGENTS || null,
    )
    const { code, stderr } = await runScript('rotateRelayer.ts', [], both())
    expect(code).to.equal(1)
    expect(stderr).to.match(/^The new account 0x\w{40} has 0 wei and needs at least \d+: fund it/)
    await rpc('hardhat_setBalance', [present.address, '0x8ac7230489e80000'])
  })

  it('continues with the former account until the command is run', async () => {
    await restart(both())
    const batch = count('SELECT count(*) AS n FROM audit_batches')
    await waitUntil(
      async () => count(`SELECT count(*) AS n FROM audit_batches WHERE status = 'confirmed'`) > batch || null,
    )
    expect(await nonceOf(present.address)).to.equal(0)
  })

  it('hands over although the command and the service are killed midway', async () => {
    const command = startRotation()
    await waitUntil(
      async () => count(`SELECT count(*) AS n FROM relayer_intents WHERE kind = 'audit.offer'`) > 0 || null,
    )
    const gone = once(command, 'exit')
    command.kill('SIGKILL')
    await gone
    await waitUntil(
      async () =>
        count(`SELECT count(*) AS n FROM relayer_intents WHERE kind = 'audit.offer' AND status <> 'queued'`) >
          0 || null,
    )
    const midway = isHandedOver()
    await restart(both())
    const { code, stdout, stderr } = await runScript('rotateRelayer.ts', [], both())
    expect([midway, code, stderr]).to.deep.equal([false, 0, ''])
    expect(stdout).to.match(/operates the log, and 0x\w{40} has nothing left to do\.\n/)
    expect(stdout).to.match(/RELAYER_PRIVATE_KEY_FORMER may be removed/)
    formerCount = await nonceOf(former.address)
  })

  it('pays with the new account only, also without the former key', async () => {
    await restart({ ...settings, RELAYER_PRIVATE_KEY: presentKey })
    const [before, batch] = [await nonceOf(present.address), count('SELECT count(*) AS n FROM audit_batches')]
    await waitUntil(
      async () =>
        count(`SELECT count(*) AS n FROM audit_batches WHERE status = 'confirmed'`) > batch + 1 || null,
    )
    expect(await nonceOf(present.address)).to.be.above(before)
    expect(await nonceOf(former.address)).to.equal(formerCount)
  })

  it('loses no returned record, and anchors each batch once in the same log', async () => {
    isLoading = false
    await load
    await waitUntil(
      async () =>
        count(`SELECT (SELECT count(*) FROM relayer_intents WHERE settled_at IS NULL) +
        (SELECT count(*) FROM audit_records) - (SELECT sum(new_size - prev_size) FROM audit_batches) AS n`) ===
          0 || null,
    )
    const records = rows<{ id: string }>('SELECT record_id AS id FROM audit_records').map(({ id }) => id)
    expect(new Set(records).size).to.equal(records.length)
    const stored = new Set(records)
    expect(answered.filter((id) => !stored.has(id))).to.deep.equal([])
    let [size, batches] = [0, 0]
    for (const [number, logId] of at.logIds.entries()) {
      const log = openLogReader(chain.url, { contract: at.contracts.auditLog, logId })
      const sealed = rows<{ number: number; prevSize: number; newSize: number; root: string }>(
        `SELECT number, prev_size AS prevSize, new_size AS newSize, root FROM audit_batches
         WHERE number BETWEEN ${batchKeysOf(number).join(' AND ')} ORDER BY number`,
      ).map((batch) => ({
        ...{ ...batch, number: batch.number - batchKeyOf(number, 0) },
        root: batch.root.replace(/^(0x)?/, '0x'),
      }))
      expect(await log.batches()).to.deep.equal(sealed)
      size += await log.size()
      batches += sealed.length
    }
    expect(size).to.equal(records.length)
    reportFaultFigure(
      `${answered.length} returned records in ${batches} batches of two logs, by two accounts: 0 lost, 0 twice`,
    )
  })

  it('has the tokens in custody with the new account, each minted once', async () => {
    const tokens = await readRegistrations(chain.url, at.contracts.identityRegistry)
    expect(tokens.map(({ holder }) => holder)).to.deep.equal(Array(AGENTS).fill(present.address))
    expect(new Set(tokens.map(({ agentURI }) => agentURI)).size).to.equal(tokens.length)
    expect(rows('SELECT DISTINCT custody, holder FROM agent_tokens')).to.deep.equal([
      { custody: 'registry', holder: present.address },
    ])
  })

  it('is one log of the shop for npm run verify-audit', async () => {
    const proofOf = async (id: string | undefined) =>
      (await api(service.baseUrl, 'GET', `/api/audit/records/${id}/proof`, { bearer: shop.apiKey })).body
    const { logId } = await proofOf(answered[0])
    const chainArgs = ['--rpc', chain.url, '--log', logId, '--contract', at.contracts.auditLog]
    const growth = await runScript('verifyAudit.ts', [
      ...chainArgs,
      '--from-batch',
      '1',
      '--registry',
      service.baseUrl,
    ])
    expect([growth.code, growth.stderr]).to.deep.equal([0, ''])
    for (const id of [answered[0], answered.at(-1)]) {
      const file = join(folder.path, 'proof.json')
      writeFileSync(file, JSON.stringify(await proofOf(id)))
      expect((await runScript('verifyAudit.ts', [...chainArgs, '--record', file])).code).to.equal(0)
    }
  })
})
