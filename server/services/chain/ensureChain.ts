import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { Contracts, ExistingContracts } from '../../chain/deployContracts.ts'
import type { AnchorStore } from '../../store/audit/anchorStore.ts'
import type { LogStore } from '../../store/audit/logStore.ts'
import type {
  Deployment,
  DeploymentStore,
  RememberedDeployment,
} from '../../store/relayer/deploymentStore.ts'
import type { Trx } from '../relayer/intentHandler.ts'
import type { WhileLeaseHeld } from '../relayer/relayerDeps.ts'
import { checkConfigured } from './checkConfigured.ts'
import { compareChain, type FoundChain } from './compareChain.ts'
import { hasFinalBatch } from './hasFinalBatch.ts'

export type EnsureChainDeps = {
  chain: ChainClient
  deployments: DeploymentStore
  /** Opens the batches of a log. */
  anchorsOf: (log: number) => AnchorStore
  logs: Pick<LogStore, 'ids'>
  whileLeaseHeld: WhileLeaseHeld
  /** Deploys missing contracts and opens the log. */
  deploy: (existing: ExistingContracts) => Promise<Contracts>
  /** Orders the opening of the logs besides the first. */
  openOthers: (trx: Trx, now: number) => Promise<void>
  replay: (trx: Trx, input: { logId: string; now: number }) => Promise<void>
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

export type EnsureChainInput = {
  logId: Hex
  isLocal: boolean
  /** Configured addresses, which take precedence over remembered ones. */
  configured: ExistingContracts
  now: number
}

/**
 * Ensures that the reachable chain is ours and has our contracts before anything is sent to it.
 *
 * If nothing is remembered, it deploys what the configuration does not name. On a restarted development chain, it deploys
 * again and replays all identities and batches. For a database of the first release, it deploys the two registries that
 * were added later. Any other mismatch is an error.
 *
 * @throws Error with a message for the operator; `CHAIN_UNAVAILABLE` if the chain is unreachable. Source:
 * docs/architecture.md.
 */
export async function ensureChain(deps: EnsureChainDeps, input: EnsureChainInput): Promise<Deployment> {
  const { chain, deployments, log } = deps
  const remembered = await deployments.remembered()
  const identityRegistry = input.configured.identityRegistry ?? remembered?.identityRegistry ?? null
  await checkConfigured(chain, input.configured, identityRegistry)
  const [chainId, genesisHash] = await Promise.all([chain.readChainId(), chain.readGenesisHash()])
  if (remembered === null) return await deploy(deps, input, { chainId, genesisHash })
  const deployment = withConfigured(remembered, input)
  const moved = deployment !== remembered
  const found = await lookAt(chain, deployment, { chainId, genesisHash })
  const memory = await recall(deps, deployment, found.head.batch)
  if (moved && lacksLogOnly(found, deployment) && !(await hasFinalBatch(deps))) {
    const complete = await deployMissing(deps, input, deployment)
    await deps.whileLeaseHeld((trx) => deps.openOthers(trx, input.now))
    return complete
  }
  const comparison = compareChain(found, memory, {
    isLocal: input.isLocal,
    relayers: chain.relayers,
  })
  if (comparison.verdict === 'same') await requireOtherLogs(deps, input, { found, deployment })
  switch (comparison.verdict) {
    case 'same':
      if (found.head.batch < memory.lastConfirmed) {
        const batches = { onChain: found.head.batch, final: memory.lastConfirmed }
        log.warn(batches, 'the log on chain ends before batches that were final')
      }
      if (!isComplete(deployment)) return await deployMissing(deps, input, deployment)
      if (moved) await deps.whileLeaseHeld((trx) => deployments.save(trx, deployment, input.now))
      return deployment
    case 'replay':
      log.info({ why: comparison.why }, 'the development chain is new: replaying identities and batches')
      return await deploy(deps, input, { chainId, genesisHash }, deps.replay)
    case 'refuse':
      throw new Error(comparison.why)
  }
}

/**
 * Registries that refer to another identity registry than the configured one are no longer ours. After a restore that began
 * a new log, the log id differs, and the log is opened as if for the first time.
 */
function withConfigured(
  remembered: RememberedDeployment,
  { configured, logId }: EnsureChainInput,
): RememberedDeployment {
  const identityRegistry = configured.identityRegistry ?? remembered.identityRegistry
  const former = identityRegistry === remembered.identityRegistry ? remembered : null
  const addresses = {
    identityRegistry,
    auditLog: configured.auditLog ?? remembered.auditLog,
    reputationRegistry: configured.reputationRegistry ?? former?.reputationRegistry ?? null,
    validationRegistry: configured.validationRegistry ?? former?.validationRegistry ?? null,
    logId,
  }
  const keys = ['identityRegistry', 'auditLog', 'reputationRegistry', 'validationRegistry', 'logId'] as const
  const isSame = keys.every((key) => addresses[key] === remembered[key])
  return isSame ? remembered : { ...remembered, ...addresses }
}

async function lookAt(
  chain: ChainClient,
  deployment: RememberedDeployment,
  identity: { chainId: number; genesisHash: Hex },
) {
  const isThere = async (address: Hex | null) => address === null || (await chain.hasCode(address))
  const [hasRegistry, hasLog, hasReputationRegistry, hasValidationRegistry] = await Promise.all([
    isThere(deployment.identityRegistry),
    isThere(deployment.auditLog),
    isThere(deployment.reputationRegistry),
    isThere(deployment.validationRegistry),
  ])
  const none = { batch: 0, root: '', operator: null }
  const head = hasLog ? await chain.auditLog.readHead(deployment.auditLog, deployment.logId) : none
  return { ...identity, hasRegistry, hasLog, hasReputationRegistry, hasValidationRegistry, head }
}

/**
 * Compares the logs besides the first with what the database remembers of them. One that is not open yet is opened by the
 * relayer.
 *
 * @throws Error as `ensureChain`.
 */
async function requireOtherLogs(
  deps: EnsureChainDeps,
  { isLocal }: EnsureChainInput,
  { found, deployment }: { found: FoundChain; deployment: RememberedDeployment },
): Promise<void> {
  const { chain } = deps
  for (const { number, logId } of await deps.logs.ids()) {
    const head = await chain.auditLog.readHead(deployment.auditLog, logId)
    if (head.operator === null) continue
    const memory = await recall(deps, { ...deployment, logId }, head.batch, number)
    const comparison = compareChain({ ...found, head }, memory, { isLocal, relayers: chain.relayers })
    if (comparison.verdict === 'refuse') throw new Error(`Log ${number}: ${comparison.why}`)
  }
}

async function recall(
  { anchorsOf }: EnsureChainDeps,
  deployment: RememberedDeployment,
  headBatch: number,
  log = 0,
) {
  const anchors = anchorsOf(log)
  const [lastSealed, lastConfirmed, row] = await Promise.all([
    anchors.lastSealed(),
    anchors.lastConfirmed(),
    anchors.byNumber(headBatch),
  ])
  return { deployment, lastSealed, lastConfirmed, rootAtHead: row?.root ?? null }
}

/** A configured contract that never held our log; the log can be opened there as long as no batch is final elsewhere. */
function lacksLogOnly(found: FoundChain, { chainId, genesisHash }: RememberedDeployment): boolean {
  const isSameChain = found.chainId === chainId && found.genesisHash === genesisHash
  return isSameChain && found.hasRegistry && found.hasLog && found.head.operator === null
}

function isComplete(deployment: RememberedDeployment): deployment is Deployment {
  return deployment.reputationRegistry !== null && deployment.validationRegistry !== null
}

async function deployMissing(
  deps: EnsureChainDeps,
  { now }: EnsureChainInput,
  known: RememberedDeployment,
): Promise<Deployment> {
  const { identityRegistry, auditLog } = known
  const { reputationRegistry, validationRegistry, logId, nextNonce } = await deps.deploy({
    identityRegistry,
    auditLog,
    reputationRegistry: known.reputationRegistry ?? undefined,
    validationRegistry: known.validationRegistry ?? undefined,
  })
  const deployment: Deployment = { ...known, reputationRegistry, validationRegistry, logId, nextNonce }
  await deps.whileLeaseHeld((trx) => deps.deployments.save(trx, deployment, now))
  deps.log.info({ identityRegistry, auditLog, reputationRegistry, validationRegistry }, 'contracts are ready')
  return deployment
}

async function deploy(
  deps: EnsureChainDeps,
  { configured, now }: EnsureChainInput,
  identity: { chainId: number; genesisHash: Hex },
  replay?: EnsureChainDeps['replay'],
): Promise<Deployment> {
  const contracts = await deps.deploy(configured)
  const deployment: Deployment = { ...identity, ...contracts }
  await deps.whileLeaseHeld(async (trx) => {
    await deps.deployments.save(trx, deployment, now)
    await replay?.(trx, { logId: contracts.logId, now })
  })
  deps.log.info({ chainId: deployment.chainId, ...contracts }, 'contracts are ready')
  return deployment
}
