import { expect } from 'chai'
import type { LocalChain } from '../../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import type { ChainPart } from '../../../server/compose/chain/composeChain.ts'
import { buildAgentRow } from '../../builders/buildAgentRow.ts'
import { composeTestChain } from '../../harness/chain/composeTestChain.ts'
import { takeChain } from '../../harness/chain/takeChain.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../harness/database/openTemporaryDatabase.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'

type Contracts = Record<
  'identityRegistry' | 'auditLog' | 'reputationRegistry' | 'validationRegistry',
  `0x${string}`
>

describe('the contracts of a database', () => {
  let node: LocalChain
  let database: TemporaryDatabase
  /** Those of the database, and genuine ones of another. */
  let own: Contracts
  let others: Contracts
  const started: ChainPart[] = []

  before(async () => {
    node = await takeChain()
    const other = await openTemporaryDatabase()
    others = await deployFor(other)
    await other.remove()
  })
  after(() => node.stop())
  beforeEach(async () => {
    database = await openTemporaryDatabase()
    own = await deployFor(database)
  })
  afterEach(async () => {
    for (const part of started.splice(0)) await part.stop()
    await database.remove()
  })

  const partOf = (environment: Record<string, string> = {}, { db } = database) =>
    composeTestChain(db, {
      RPC_URL: node.url,
      RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
      CONFIRMATIONS: '1',
      ...environment,
    })
  async function deployFor(used: TemporaryDatabase): Promise<Contracts> {
    await partOf({}, used).deploy()
    return await contractsOf(used)
  }
  const contractsOf = async (used = database) => (await partOf({}, used).overview()).contracts as Contracts
  const start = async (environment: Record<string, string> = {}) => {
    const part = partOf(environment)
    started.push(part)
    await part.start()
    return part
  }
  const refusalOf = (begun: Promise<unknown>) =>
    begun.then(
      () => 'no error',
      (error: Error) => error.message,
    )
  /** A registry of reputation for the same identities, as someone else may have deployed it. */
  const deployReputation = async (): Promise<`0x${string}`> => {
    const other = await openTemporaryDatabase()
    await partOf({ IDENTITY_REGISTRY_ADDRESS: own.identityRegistry }, other).deploy()
    const { reputationRegistry } = await contractsOf(other)
    await other.remove()
    return reputationRegistry
  }
  const insertIntent = (kind: string, status: string) =>
    database.db.query('relayer_intents').insert({
      ...{ idempotency_key: kind, kind, payload: '{}', status },
      ...{ next_attempt_at: Number.MAX_SAFE_INTEGER, created_at: 1, updated_at: 1 },
    })
  const insertIdentity = () =>
    database.db.query('agents').insert({
      ...buildAgentRow('SVC-a', 1),
      ...{ blockchain_status: 'verified', chain_agent_id: 1 },
      chain_registry: `eip155:31337:${own.identityRegistry}`,
    })
  const insertFinalBatch = () =>
    database.db.query('audit_batches').insert({
      ...{ number: 1, prev_size: 0, new_size: 1, root: '00', consistency_proof: '[]' },
      ...{ status: 'confirmed', sealed_at: 1, confirmed_at: 1 },
    })
  const anotherRegistry = () =>
    `Setting IDENTITY_REGISTRY_ADDRESS: ${others.identityRegistry} is not the contract of this database; its agents are ` +
    `tokens of ${own.identityRegistry}: set that address, or leave the setting out; another registry needs a database of its own`

  for (const [what, insert] of Object.entries({
    'an agent has an identity': insertIdentity,
    'a mint was sent': () => insertIntent('identity.mint', 'sent'),
    'a token is to be transferred': () => insertIntent('identity.transfer', 'queued'),
  })) {
    it(`include the registry of identities as soon as ${what}`, async () => {
      const environment = { IDENTITY_REGISTRY_ADDRESS: others.identityRegistry }
      await insert()
      for (const begin of [() => start(environment), () => partOf(environment).deploy()])
        expect(await refusalOf(begin())).to.equal(anotherRegistry())
      expect(await contractsOf()).to.deep.equal(own)
      await start({ IDENTITY_REGISTRY_ADDRESS: own.identityRegistry.toLowerCase() })
    })
  }

  it('are known without the chain, so that a wrong setting stops the start although no node answers', async () => {
    await insertIdentity()
    const settings = { IDENTITY_REGISTRY_ADDRESS: others.identityRegistry, RPC_URL: 'http://127.0.0.1:9' }
    expect(await refusalOf(start(settings))).to.equal(anotherRegistry())
  })

  it('include the contract of the log as soon as a batch is final', async () => {
    await insertFinalBatch()
    const environment = { AUDIT_LOG_ADDRESS: others.auditLog }
    for (const begin of [() => start(environment), () => partOf(environment).deploy()])
      expect(await refusalOf(begin())).to.equal(
        `Setting AUDIT_LOG_ADDRESS: ${others.auditLog} is not the contract of this database; its batches are anchored in ` +
          `${own.auditLog}: set that address, or leave the setting out; only a log that a restore with --new-log began ` +
          'may be in another contract',
      )
  })

  it('change for a process that starts alone, as long as they hold nothing', async () => {
    await start({ IDENTITY_REGISTRY_ADDRESS: others.identityRegistry, AUDIT_LOG_ADDRESS: others.auditLog })
    const { identityRegistry, auditLog } = await waitUntil(async () => {
      const contracts = await contractsOf()
      return contracts.identityRegistry === others.identityRegistry ? contracts : null
    })
    expect([identityRegistry, auditLog]).to.deep.equal([others.identityRegistry, others.auditLog])
  })

  it('change to another registry of reputation for a process that starts alone, although agents have identities', async () => {
    const another = await deployReputation()
    await insertIdentity()
    await start({ REPUTATION_REGISTRY_ADDRESS: another })
    expect(await contractsOf()).to.deep.equal({ ...own, reputationRegistry: another })
  })

  it('do not change while another process runs, which says so', async () => {
    const another = await deployReputation()
    const first = await start()
    await waitUntil(async () => (first.wasRelayer() ? true : null))
    for (const [name, wanted, known] of [
      ['REPUTATION_REGISTRY_ADDRESS', another, own.reputationRegistry],
      ['IDENTITY_REGISTRY_ADDRESS', others.identityRegistry, own.identityRegistry],
      ['AUDIT_LOG_ADDRESS', others.auditLog, own.auditLog],
    ] as const)
      expect(await refusalOf(start({ [name]: wanted }))).to.equal(
        `Setting ${name}: ${wanted} is not the contract of this database; other processes work with ${known}, or did ` +
          'until a moment ago: stop all of them before the first one starts with another contract, or set that address',
      )
    expect(await contractsOf()).to.deep.equal(own)
    await first.stop()
    await start({ REPUTATION_REGISTRY_ADDRESS: another })
    expect(await contractsOf()).to.deep.equal({ ...own, reputationRegistry: another })
  })

  it('are not changed by a process that becomes the relayer later, which leaves that to another one', async () => {
    const another = await deployReputation()
    const first = await start()
    await waitUntil(async () => (first.wasRelayer() ? true : null))
    const late = await start({ REPUTATION_REGISTRY_ADDRESS: own.reputationRegistry })
    await database.db.query('chain_deployments').update({ reputation_registry: another })
    await first.stop()
    const { lastError } = await waitUntil(async () => {
      const status = await late.relayerStatus()
      return status.lastError === null ? null : status
    })
    expect(lastError).to.contain(`${own.reputationRegistry} is not the contract of this database`)
    const right = await start()
    await waitUntil(async () => (right.wasRelayer() ? true : null))
    expect(late.wasRelayer()).to.equal(false)
    expect(await contractsOf()).to.deep.equal({ ...own, reputationRegistry: another })
  })
})
