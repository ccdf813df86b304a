import { isSameHex } from '@svc/core/isSameHex.ts'
import { encodeDeployData, getAddress } from 'viem'
import { auditLog } from './artifacts/auditLog.ts'
import { identityRegistry } from './artifacts/identityRegistry.ts'
import { reputationRegistry } from './artifacts/reputationRegistry.ts'
import { validationRegistry } from './artifacts/validationRegistry.ts'
import type { ChainClient } from './chainClient.ts'
import type { Hex } from './chainTypes.ts'
import { type DeploymentJournal, NO_JOURNAL } from './deploymentJournal.ts'
import { sendAndWait } from './sendAndWait.ts'

type DeployOptions = {
  logId: Hex
  /** Stores an id that the relayer may open, in place of an unopened one that it may not. */
  renameLog: () => Promise<Hex>
  /** Contracts that already exist; the missing ones are deployed. */
  existing: ExistingContracts
  confirmations: number
  /** In wei per gas. */
  maxFeePerGas: bigint
  /** What an interrupted deployment has sent, which is finished; by default, nothing was. */
  journal?: DeploymentJournal
}

/** Addresses of contracts that need no deployment. */
export type ExistingContracts = {
  identityRegistry?: Hex | undefined
  auditLog?: Hex | undefined
  reputationRegistry?: Hex | undefined
  validationRegistry?: Hex | undefined
}

/** Addresses of the contracts on a chain. */
export type Contracts = {
  identityRegistry: Hex
  auditLog: Hex
  reputationRegistry: Hex
  validationRegistry: Hex
  /** No block before this one contains a transaction of ours. */
  deployedBlock: number
  logId: Hex
  /** The relayer's first unused nonce after the deployment. */
  nextNonce: number
}

/**
 * Deploys the missing contracts in a fixed order, and opens the log.
 *
 * On a fresh chain, the same account deploys with the same nonces and therefore to the same addresses. A deployment
 * that is interrupted starts over; contracts already deployed by it stay unused.
 *
 * @throws Error if another account operates the log, or if a contract or the node refuses.
 */
export async function deployContracts(chain: ChainClient, options: DeployOptions): Promise<Contracts> {
  const { existing, journal = NO_JOURNAL } = options
  const before = await chain.readHead()
  const firstBlock = (await journal.firstBlock()) ?? before.number
  const deployMissing = (purpose: string, data: Hex) => deploy(chain, data, { ...options, purpose })
  const registry =
    existing.identityRegistry ?? (await deployMissing('identity registry', identityRegistry.bytecode))
  const log = existing.auditLog ?? (await deployAuditLog(chain, options))
  const logId = await openLog(chain, log, options)
  const about = { args: [registry] as const }
  const reputation =
    existing.reputationRegistry ??
    (await deployMissing('reputation registry', encodeDeployData({ ...reputationRegistry, ...about })))
  const validation =
    existing.validationRegistry ??
    (await deployMissing('validation registry', encodeDeployData({ ...validationRegistry, ...about })))
  await journal.renew()
  return {
    identityRegistry: registry,
    auditLog: log,
    reputationRegistry: reputation,
    validationRegistry: validation,
    deployedBlock: Math.min(firstBlock, before.number),
    logId,
    nextNonce: await chain.readTransactionCount(chain.relayerAddress),
  }
}

type PaidBy = Pick<DeployOptions, 'confirmations' | 'maxFeePerGas' | 'journal'>

/** Deploys the contract of audit logs, and returns its address. @throws Error if the node refuses. */
export function deployAuditLog(chain: ChainClient, options: PaidBy): Promise<Hex> {
  return deploy(chain, auditLog.bytecode, { ...options, purpose: 'audit log' })
}

/**
 * Opens the log unless it is open, and returns its id. Only the account that an id begins with may open it: an id that was
 * drawn for another account, or before ids named their opener, is replaced. An open log keeps its id, whatever it is.
 */
async function openLog(chain: ChainClient, contract: Hex, options: DeployOptions): Promise<Hex> {
  await options.journal?.renew()
  const { operator } = await chain.auditLog.readHead(contract, options.logId)
  if (operator !== null) {
    if (chain.relayers.some((relayer) => isSameHex(operator, relayer))) return options.logId
    throw new Error(
      `The audit log ${options.logId} is operated by ${operator}, not by ${chain.relayerAddress}`,
    )
  }
  const mayOpen = isSameHex(options.logId.slice(0, chain.relayerAddress.length), chain.relayerAddress)
  const logId = mayOpen ? options.logId : await options.renameLog()
  const call = { to: contract, data: chain.auditLog.encodeOpenLog(logId) }
  await sendAndWait(chain, call, { ...options, purpose: 'opening of the audit log' })
  return logId
}

async function deploy(chain: ChainClient, data: Hex, options: PaidBy & { purpose: string }): Promise<Hex> {
  const receipt = await sendAndWait(chain, { to: null, data }, options)
  if (receipt.contractAddress === null) throw new Error(`The deployment ${receipt.hash} created no contract`)
  return getAddress(receipt.contractAddress)
}
