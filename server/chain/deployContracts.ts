import { encodeDeployData, getAddress } from 'viem'
import { auditLog } from './artifacts/auditLog.ts'
import { identityRegistry } from './artifacts/identityRegistry.ts'
import { reputationRegistry } from './artifacts/reputationRegistry.ts'
import { validationRegistry } from './artifacts/validationRegistry.ts'
import type { ChainClient } from './chainClient.ts'
import type { Hex } from './chainTypes.ts'
import { sendAndWait } from './sendAndWait.ts'

type DeployOptions = {
  logId: Hex
  /** Contracts that are there already; the others are deployed. */
  existing: ExistingContracts
  confirmations: number
  /** In wei per gas. */
  maxFeePerGas: bigint
}

/** Contracts that need not be deployed. */
export type ExistingContracts = {
  identityRegistry?: Hex | undefined
  auditLog?: Hex | undefined
  reputationRegistry?: Hex | undefined
  validationRegistry?: Hex | undefined
}

/** Where the contracts of a chain are. */
export type Contracts = {
  identityRegistry: Hex
  auditLog: Hex
  reputationRegistry: Hex
  validationRegistry: Hex
  /** Block before which nothing of ours can be. */
  deployedBlock: number
  /** First nonce of the relayer that the deployment left. */
  nextNonce: number
}

/**
 * Deploys what is missing of the contracts, always in the same order, and opens the log.
 *
 * On a chain that begins anew the same account deploys with the same nonces, so the addresses are the same again.
 * Killed half-way it is started over: what was deployed then is left behind, unused.
 *
 * @throws Error when the log is operated by another account, or a contract or the node refuses.
 */
export async function deployContracts(chain: ChainClient, options: DeployOptions): Promise<Contracts> {
  const { existing, logId } = options
  const before = await chain.readHead()
  const registry = existing.identityRegistry ?? (await create(chain, identityRegistry.bytecode, options))
  const log = existing.auditLog ?? (await create(chain, auditLog.bytecode, options))
  const { operator } = await chain.auditLog.readHead(log, logId)
  if (operator === null) {
    await sendAndWait(chain, { to: log, data: chain.auditLog.encodeOpenLog(logId) }, options)
  } else if (operator.toLowerCase() !== chain.relayerAddress.toLowerCase()) {
    throw new Error(`The audit log ${logId} is operated by ${operator}, not by ${chain.relayerAddress}`)
  }
  const about = { args: [registry] as const }
  const reputation =
    existing.reputationRegistry ??
    (await create(chain, encodeDeployData({ ...reputationRegistry, ...about }), options))
  const validation =
    existing.validationRegistry ??
    (await create(chain, encodeDeployData({ ...validationRegistry, ...about }), options))
  return {
    identityRegistry: registry,
    auditLog: log,
    reputationRegistry: reputation,
    validationRegistry: validation,
    deployedBlock: before.number,
    nextNonce: await chain.readTransactionCount(chain.relayerAddress),
  }
}

async function create(chain: ChainClient, data: Hex, options: DeployOptions): Promise<Hex> {
  const receipt = await sendAndWait(chain, { to: null, data }, options)
  if (receipt.contractAddress === null) throw new Error(`The deployment ${receipt.hash} created no contract`)
  return getAddress(receipt.contractAddress)
}
