import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { TokenStore } from '../../store/agents/tokenStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { DeploymentStore, RememberedDeployment } from '../../store/relayer/deploymentStore.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { proposeFees } from './fees.ts'
import { intentKey } from './intents.ts'
import { isSameAddress } from './notifications.ts'

export type HandOverRelayerDeps = {
  db: Pick<Db, 'transaction'>
  chain: ChainClient
  deployments: Pick<DeploymentStore, 'remembered'>
  outbox: Pick<OutboxStore, 'addAgain' | 'countOpen'>
  tokens: Pick<TokenStore, 'heldBy' | 'followedTo'>
  agents: Pick<AgentStore, 'bySvcId'>
  policy: { confirmations: number; maxFeePerGas: bigint }
}

/** What the former account still has. */
export type RelayerHandOver = {
  from: Hex
  to: Hex
  /** Who may anchor now. */
  operator: Hex
  /** Whether the steps that hand the log over are not final yet. */
  isLogPending: boolean
  /** Transactions of the former account that are not settled. */
  transactions: number
  /** Tokens that it holds, as far as known; no more than a page of them. */
  tokens: number
  /** Newest final block, and up to which block the tokens are known. */
  blocks: { final: number; known: number }
}

/** Number of transfers ordered at once; the next ones follow when these are done. */
const ORDERED_MAX = 200
/** Gas that the present account must be able to pay for before it takes over. */
const GAS_MIN = 1_000_000n

/**
 * Orders what the present account of the relayer still has to take over from the former one: the log, and the tokens in
 * custody. The relayer of a running service does it, like everything else in its outbox.
 *
 * Safe to repeat at any time: what is ordered or done is not ordered again.
 *
 * @returns What is left.
 * @throws Error with a message for the operator; ApiError CHAIN_UNAVAILABLE.
 */
export async function handOverRelayer(deps: HandOverRelayerDeps, now: number): Promise<RelayerHandOver> {
  const { chain, outbox, policy } = deps
  const [to, from] = chain.relayers
  if (to === undefined || from === undefined || to === from)
    throw new Error(
      'Set RELAYER_PRIVATE_KEY to the new key and RELAYER_PRIVATE_KEY_FORMER to the former one.',
    )
  const deployment = await requireDeployment(deps)
  const { auditLog, logId, identityRegistry, genesisHash } = deployment
  const { operator } = await chain.auditLog.readHead(auditLog, logId)
  if (operator === null || ![from, to].some((account) => isSameAddress(account, operator)))
    throw new Error(`The audit log ${logId} is operated by ${operator}, which is neither ${from} nor ${to}.`)
  if (isSameAddress(operator, from)) {
    await requireFunds(deps, to)
    await deps.db.transaction(async (trx) => {
      const payload = { from, to }
      const offer = { idempotencyKey: intentKey.offer(logId, to), kind: 'audit.offer', payload, now }
      const accept = { idempotencyKey: intentKey.accept(logId, to), kind: 'audit.accept', payload, now }
      await outbox.addAgain(trx, offer)
      await outbox.addAgain(trx, accept)
    })
  }
  const tokens = await orderTransfers(deps, { from, to, now })
  const [transactions, steps, head, known] = await Promise.all([
    outbox.countOpen({ sender: from }),
    outbox.countOpen({ kinds: ['audit.offer', 'audit.accept'] }),
    chain.readHead(),
    deps.tokens.followedTo(`${genesisHash}:${identityRegistry}`),
  ])
  const final = Math.max(0, head.number - policy.confirmations + 1)
  const isLogPending = steps > 0 || !isSameAddress(operator, to)
  return { from, to, operator, isLogPending, transactions, tokens, blocks: { final, known: known ?? 0 } }
}

async function requireDeployment({ chain, deployments }: HandOverRelayerDeps): Promise<RememberedDeployment> {
  const deployment = await deployments.remembered()
  if (deployment === null) throw new Error('This service has no contracts yet: start it with the new key.')
  const [chainId, genesisHash] = await Promise.all([chain.readChainId(), chain.readGenesisHash()])
  if (chainId !== deployment.chainId || genesisHash !== deployment.genesisHash)
    throw new Error(
      `The node at RPC_URL is on another chain (id ${chainId}) than the contracts of the service.`,
    )
  return deployment
}

async function requireFunds({ chain, policy }: HandOverRelayerDeps, account: Hex): Promise<void> {
  const [balance, head, tip] = await Promise.all([
    chain.readBalance(account),
    chain.readHead(),
    chain.readPriorityFee(),
  ])
  const fees = proposeFees({ baseFee: head.baseFeePerGas, tip, cap: policy.maxFeePerGas })
  const needed = GAS_MIN * (fees?.maxFeePerGas ?? policy.maxFeePerGas)
  if (balance < needed)
    throw new Error(
      `The new account ${account} has ${balance} wei and needs at least ${needed}: fund it, then run this again.`,
    )
}

/** @returns How many tokens the former account holds, up to a page. */
async function orderTransfers(
  { db, outbox, tokens, agents }: HandOverRelayerDeps,
  { from, to, now }: { from: Hex; to: Hex; now: number },
): Promise<number> {
  const held = await tokens.heldBy(from, { after: '', limit: ORDERED_MAX })
  const rows = await Promise.all(held.map((svcId) => agents.bySvcId(svcId)))
  await db.transaction(async (trx) => {
    for (const agent of rows) {
      if (agent === null || agent.chainAgentId === null) continue
      const payload = { svcId: agent.svcId, agentId: String(agent.chainAgentId), to }
      const idempotencyKey = intentKey.keep(agent.svcId, to)
      await outbox.addAgain(trx, { idempotencyKey, kind: 'identity.handOver', payload, now })
    }
  })
  return held.length
}
