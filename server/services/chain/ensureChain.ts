import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { Contracts } from '../../chain/deployContracts.ts'
import type { AnchorStore } from '../../store/anchorStore.ts'
import type { Deployment, DeploymentStore } from '../../store/deploymentStore.ts'
import type { Trx } from '../relayer/intentHandler.ts'
import type { Fenced } from '../relayer/relayerDeps.ts'
import { compareChain } from './compareChain.ts'

export type EnsureChainDeps = {
  chain: ChainClient
  deployments: DeploymentStore
  anchors: AnchorStore
  fenced: Fenced
  /** Deploys what is missing and opens the log. */
  deploy: (existing: EnsureChainInput['configured']) => Promise<Contracts>
  replay: (trx: Trx, input: { logId: string; now: number }) => Promise<void>
  log: { info(fields: object, message: string): void }
}

export type EnsureChainInput = {
  logId: Hex
  isLocal: boolean
  /** Addresses from the configuration; they win over remembered ones. */
  configured: { identityRegistry: Hex | undefined; auditLog: Hex | undefined }
  now: number
}

/**
 * Makes sure that the chain that answers is ours and has our contracts, before anything is sent to it.
 *
 * Nothing remembered: deploys what the configuration does not name. A development chain that began anew: deploys
 * again and replays every identity and batch. Anything else that does not fit is a refusal.
 *
 * @throws Error whose message is a sentence for the operator; `CHAIN_UNAVAILABLE` when the chain does not answer.
 * Source: architecture.md "Two ways to run".
 */
export async function ensureChain(deps: EnsureChainDeps, input: EnsureChainInput): Promise<Deployment> {
  await checkConfigured(deps, input)
  const { chain, deployments, log } = deps
  const [chainId, genesisHash] = await Promise.all([chain.chainId(), chain.genesisHash()])
  const remembered = await deployments.remembered()
  if (remembered === null) return await deploy(deps, input, { chainId, genesisHash })
  const deployment = withConfigured(remembered, input.configured)
  const moved = deployment !== remembered
  const found = await lookAt(chain, deployment, { chainId, genesisHash })
  const memory = await recall(deps, deployment, found.head.batch)
  if (moved && memory.lastConfirmed === 0 && found.head.operator === null) {
    return await deploy(deps, input, { chainId, genesisHash })
  }
  const comparison = compareChain(found, memory, {
    isLocal: input.isLocal,
    relayer: chain.relayerAddress,
  })
  switch (comparison.verdict) {
    case 'same':
      if (moved) await deps.fenced((trx) => deployments.save(trx, deployment, input.now))
      return deployment
    case 'replay':
      log.info({ why: comparison.why }, 'the development chain is new: replaying identities and batches')
      return await deploy(deps, input, { chainId, genesisHash }, deps.replay)
    case 'refuse':
      throw new Error(comparison.why)
  }
}

async function checkConfigured({ chain }: EnsureChainDeps, { configured }: EnsureChainInput): Promise<void> {
  const settings = [
    ['IDENTITY_REGISTRY_ADDRESS', configured.identityRegistry],
    ['AUDIT_LOG_ADDRESS', configured.auditLog],
  ] as const
  for (const [name, address] of settings) {
    if (address !== undefined && !(await chain.hasCode(address))) {
      throw new Error(`Setting ${name}: there is no contract at ${address} on this chain`)
    }
  }
}

function withConfigured(remembered: Deployment, configured: EnsureChainInput['configured']): Deployment {
  const identityRegistry = configured.identityRegistry ?? remembered.identityRegistry
  const auditLog = configured.auditLog ?? remembered.auditLog
  const isSame = identityRegistry === remembered.identityRegistry && auditLog === remembered.auditLog
  return isSame ? remembered : { ...remembered, identityRegistry, auditLog, deployedBlock: 0 }
}

async function lookAt(
  chain: ChainClient,
  deployment: Deployment,
  identity: { chainId: number; genesisHash: Hex },
) {
  const [hasRegistry, hasLog] = await Promise.all([
    chain.hasCode(deployment.identityRegistry),
    chain.hasCode(deployment.auditLog),
  ])
  const none = { batch: 0, root: '', operator: null }
  const head = hasLog ? await chain.auditLog.head(deployment.auditLog, deployment.logId) : none
  return { ...identity, hasRegistry, hasLog, head }
}

async function recall({ anchors }: EnsureChainDeps, deployment: Deployment, headBatch: number) {
  const [lastSealed, lastConfirmed, row] = await Promise.all([
    anchors.lastSealed(),
    anchors.lastConfirmed(),
    anchors.byNumber(headBatch),
  ])
  return { deployment, lastSealed, lastConfirmed, rootAtHead: row?.root ?? null }
}

async function deploy(
  deps: EnsureChainDeps,
  { logId, configured, now }: EnsureChainInput,
  identity: { chainId: number; genesisHash: Hex },
  replay?: EnsureChainDeps['replay'],
): Promise<Deployment> {
  const contracts = await deps.deploy(configured)
  const deployment: Deployment = { ...identity, ...contracts, logId }
  await deps.fenced(async (trx) => {
    await deps.deployments.save(trx, deployment, now)
    await replay?.(trx, { logId, now })
  })
  const { chainId, identityRegistry, auditLog } = deployment
  deps.log.info({ chainId, identityRegistry, auditLog, logId }, 'contracts are ready')
  return deployment
}
