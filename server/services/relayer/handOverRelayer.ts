import { proposeFees } from '@svc/core/fees.ts'
import { isSameHex } from '@svc/core/isSameHex.ts'
import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { TokenStore } from '../../store/agents/tokenStore.ts'
import type { LogStore } from '../../store/audit/logStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { DeploymentStore, RememberedDeployment } from '../../store/relayer/deploymentStore.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { intentKey } from './intents.ts'

export type HandOverRelayerDeps = {
  db: Pick<Db, 'transaction'>
  chain: ChainClient
  deployments: Pick<DeploymentStore, 'remembered'>
  logs: Pick<LogStore, 'ids'>
  outbox: Pick<OutboxStore, 'addAgain' | 'countOpen'>
  tokens: Pick<TokenStore, 'heldBy' | 'followedTo'>
  agents: Pick<AgentStore, 'bySvcId'>
  policy: { confirmations: number; maxFeePerGas: bigint }
}

/** What the former account still has. */
export type RelayerHandOver = {
  from: Hex
  to: Hex
  /** Who may anchor in the first log now. */
  operator: Hex
  /** Whether the steps that hand the logs over are not final yet. */
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
 * Orders what the present account of the relayer still has to take over from the former one: the logs, and the tokens in
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
  const open = await readOpenLogs(deps, { auditLog, logId })
  for (const log of open)
    if (![from, to].some((account) => isSameHex(account, log.operator)))
      throw new Error(
        `The audit log ${log.logId} is operated by ${log.operator}, which is neither ${from} nor ${to}.`,
      )
  const operator = open[0]?.operator ?? from
  const held = open.filter((log) => isSameHex(log.operator, from))
  if (held.length > 0) {
    await requireFunds(deps, to)
    await deps.db.transaction(async (trx) => {
      for (const { log, logId: id } of held) {
        const payload = { from, to, log }
        const offer = { idempotencyKey: intentKey.offer(id, to), kind: 'audit.offer', payload, now } as const
        const accept = {
          idempotencyKey: intentKey.accept(id, to),
          kind: 'audit.accept',
          payload,
          now,
        } as const
        await outbox.addAgain(trx, offer)
        await outbox.addAgain(trx, accept)
      }
    })
  }
  const tokens = await orderTransfers(deps, { from, to, now })
  const [transactions, steps, head, known] = await Promise.all([
    outbox.countOpen({ sender: from }),
    outbox.countOpen({ kinds: ['audit.open', 'audit.offer', 'audit.accept'] }),
    chain.readHead(),
    deps.tokens.followedTo(`${genesisHash}:${identityRegistry}`),
  ])
  const final = Math.max(0, head.number - policy.confirmations + 1)
  const isLogPending = steps > 0 || held.length > 0
  return { from, to, operator, isLogPending, transactions, tokens, blocks: { final, known: known ?? 0 } }
}

type OpenLog = { log: number; logId: Hex; operator: Hex }

/** Reads who operates the logs. The first is always open; the relayer may have yet to open the others. */
async function readOpenLogs(
  { chain, logs }: HandOverRelayerDeps,
  { auditLog, logId }: Pick<RememberedDeployment, 'auditLog' | 'logId'>,
): Promise<OpenLog[]> {
  const all = [{ number: 0, logId }, ...(await logs.ids())].map(async ({ number, logId: id }) => {
    const { operator } = await chain.auditLog.readHead(auditLog, id)
    if (operator === null && number > 0) return []
    if (operator === null) throw new Error(`The audit log ${id} is not open.`)
    return [{ log: number, logId: id, operator }]
  })
  return (await Promise.all(all)).flat()
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
