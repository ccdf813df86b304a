import { expect } from 'chai'
import type { LocalChain } from '../../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import { composeTestChain } from '../../harness/chain/composeTestChain.ts'
import { takeChain } from '../../harness/chain/takeChain.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../harness/database/openTemporaryDatabase.ts'

type Address = `0x${string}`

describe('registries in the chain composition', () => {
  let node: LocalChain
  let database: TemporaryDatabase

  before(async () => {
    node = await takeChain()
  })
  after(() => node.stop())
  beforeEach(async () => {
    database = await openTemporaryDatabase()
  })
  afterEach(() => database.remove())

  const chainPart = (environment: Record<string, string> = {}, { db } = database) =>
    composeTestChain(db, {
      RPC_URL: node.url,
      RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
      CONFIRMATIONS: '1',
      ...environment,
    })
  const deployed = async (environment: Record<string, string> = {}, used = database) => {
    const part = chainPart(environment, used)
    await part.deploy()
    const { contracts } = await part.overview()
    return { part, contracts: contracts as Record<keyof typeof contracts, Address> }
  }
  const refusalOf = (environment: Record<string, string>, used = database) =>
    chainPart(environment, used)
      .deploy()
      .then(
        () => 'no error',
        (error: Error) => error.message,
      )
  const withAnotherDatabase = async <T>(work: (other: TemporaryDatabase) => Promise<T>): Promise<T> => {
    const other = await openTemporaryDatabase()
    try {
      return await work(other)
    } finally {
      await other.remove()
    }
  }

  it('are deployed for the identity registry, and keep their addresses', async () => {
    const { part, contracts } = await deployed()
    for (const registry of [contracts.reputationRegistry, contracts.validationRegistry]) {
      expect(await part.client.readIdentityRegistry(registry)).to.equal(contracts.identityRegistry)
    }
    expect((await deployed()).contracts).to.deep.equal(contracts)
  })

  it('are deployed at the next start for a database of the first release, which keeps its data', async () => {
    const first = await deployed()
    const unknown = { reputation_registry: null, validation_registry: null }
    await database.db.query('chain_deployments').update(unknown)
    const { identityRegistry, auditLog } = first.contracts
    const known = { identityRegistry, auditLog, reputationRegistry: null, validationRegistry: null }
    expect((await chainPart().overview()).contracts).to.deep.equal(known)
    const [before] = await database.db.query('chain_deployments').select('deployed_block')
    const { part, contracts } = await deployed()
    expect(contracts).to.include({ identityRegistry, auditLog })
    expect(await part.client.hasCode(contracts.reputationRegistry)).to.equal(true)
    expect(await part.client.hasCode(contracts.validationRegistry)).to.equal(true)
    const [after] = await database.db.query('chain_deployments').select('deployed_block')
    expect(after).to.deep.equal(before)
  })

  it('are taken from the configuration by a service with its own database', async () => {
    const { contracts } = await deployed()
    await withAnotherDatabase(async (other) => {
      const environment = {
        IDENTITY_REGISTRY_ADDRESS: contracts.identityRegistry,
        REPUTATION_REGISTRY_ADDRESS: contracts.reputationRegistry.toLowerCase(),
        VALIDATION_REGISTRY_ADDRESS: contracts.validationRegistry,
      }
      const { auditLog, ...registries } = (await deployed(environment, other)).contracts
      const { auditLog: firstLog, ...expected } = contracts
      expect(registries).to.deep.equal(expected)
      expect(auditLog).not.to.equal(firstLog)
    })
  })

  it('are redeployed when the configuration names another identity registry', async () => {
    const first = await deployed()
    const other = await withAnotherDatabase((used) => deployed({}, used))
    const { identityRegistry } = other.contracts
    const { part, contracts } = await deployed({ IDENTITY_REGISTRY_ADDRESS: identityRegistry })
    expect(contracts).to.include({ identityRegistry, auditLog: first.contracts.auditLog })
    for (const key of ['reputationRegistry', 'validationRegistry'] as const) {
      expect(contracts[key]).not.to.equal(first.contracts[key])
      expect(await part.client.readIdentityRegistry(contracts[key])).to.equal(identityRegistry)
    }
  })

  it('keep their addresses when the log moves to a configured contract before any batch is final', async () => {
    const first = await deployed()
    const { auditLog } = (await withAnotherDatabase((used) => deployed({}, used))).contracts
    const { part, contracts } = await deployed({ AUDIT_LOG_ADDRESS: auditLog })
    expect(contracts).to.deep.equal({ ...first.contracts, auditLog })
    const { operator } = await part.client.auditLog.readHead(auditLog, await part.logId())
    expect(operator).to.equal(part.client.relayerAddress)
  })

  it('are refused as the registry of identities, and as the audit log, if they are something else', async () => {
    const { contracts } = await deployed()
    const { identityRegistry, auditLog, validationRegistry } = contracts
    for (const address of [auditLog, validationRegistry])
      expect(await refusalOf({ IDENTITY_REGISTRY_ADDRESS: address })).to.equal(
        `Setting IDENTITY_REGISTRY_ADDRESS: the contract at ${address} is no registry of identities`,
      )
    for (const address of [identityRegistry, validationRegistry])
      expect(await refusalOf({ AUDIT_LOG_ADDRESS: address })).to.equal(
        `Setting AUDIT_LOG_ADDRESS: the contract at ${address} is no audit log`,
      )
  })

  for (const [name, key] of [
    ['REPUTATION_REGISTRY_ADDRESS', 'reputationRegistry'],
    ['VALIDATION_REGISTRY_ADDRESS', 'validationRegistry'],
  ] as const) {
    it(`rejects ${name} of another identity registry with an explanation`, async () => {
      const foreign = (await withAnotherDatabase((used) => deployed({}, used))).contracts
      const refusal = (ours: string) =>
        `Setting ${name}: the registry at ${foreign[key]} is about the identities of ${foreign.identityRegistry}, ` +
        `not of ${ours}; set IDENTITY_REGISTRY_ADDRESS to it, or leave the setting out`
      const configured = { [name]: foreign[key] }
      expect(await refusalOf(configured)).to.equal(refusal('one that is still to be deployed'))
      const own = await deployed()
      expect(await refusalOf(configured)).to.equal(refusal(own.contracts.identityRegistry))
    })

    it(`rejects ${name} without a contract, or with one that is not a registry`, async () => {
      const { contracts } = await deployed()
      const nowhere = '0x00000000000000000000000000000000000000AA'
      expect(await refusalOf({ [name]: nowhere })).to.equal(
        `Setting ${name}: there is no contract at ${nowhere} on this chain`,
      )
      for (const address of [contracts.auditLog, contracts.identityRegistry]) {
        expect(await refusalOf({ [name]: address })).to.equal(
          `Setting ${name}: the contract at ${address} does not say whose identities it is about`,
        )
      }
    })
  }
})
