import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { AgentToken, TokenStore } from '../../store/agents/tokenStore.ts'
import type { AnchorStore } from '../../store/audit/anchorStore.ts'
import type { LogStore } from '../../store/audit/logStore.ts'
import type { Intent, NewIntent } from '../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import type { TransactionStore } from '../../store/relayer/transactionStore.ts'
import { mintResult } from '../relayer/handlers/buildIdentityRecord.ts'
import type { Trx } from '../relayer/intentHandler.ts'
import { INTENT_PAYLOADS, intentKey } from '../relayer/intents.ts'

export type ReplayDeps = {
  outbox: OutboxStore
  transactions: TransactionStore
  agents: AgentStore
  anchors: Pick<AnchorStore, 'markAllSealed'>
  logs: Pick<LogStore, 'ids'>
  tokens: TokenStore
}

type ResetIntent = Omit<NewIntent, 'now'>

/**
 * Refills the outbox for a restarted chain: all identities in the order of their ids, then all logs and their batches in
 * order, as if they had just been requested; the relayer does the rest as usual.
 *
 * A used consent covers a nonce of the former chain and may have expired, so these identities are minted by the relayer and
 * handed to their last holders, with their last URIs. Later changes of a token are not repeated step by step, because the
 * owners hold the keys. Placeholders take the ids of other registrants. This runs in the transaction that stores the new
 * contracts.
 *
 * Source: docs/architecture.md.
 */
export async function replayChain(
  deps: ReplayDeps,
  trx: Trx,
  { logId, now }: { logId: string; now: number },
): Promise<void> {
  const { outbox, transactions, agents, anchors } = deps
  const tokens = await deps.tokens.takeAll(trx)
  const mints = await outbox.ofKind(trx, 'identity.mint')
  const placeholders = await outbox.ofKind(trx, 'identity.placeholder')
  const handOvers = (await outbox.ofKind(trx, 'identity.handOver')).filter(isStillWanted(tokens))
  const feedback = (await outbox.ofKind(trx, 'reputation.feedback')).filter(isWanted)
  const batches = (await outbox.ofKind(trx, 'audit.anchor'))
    .map((intent) => INTENT_PAYLOADS['audit.anchor'].parse(intent.payload))
    .sort((a, b) => a.batch - b.batch)
  const logIds = new Map((await deps.logs.ids(trx)).map((log) => [log.number, log.logId]))
  await transactions.clear(trx)
  await outbox.clear(trx)
  await anchors.markAllSealed(trx)
  for (const intent of orderIdentities([...mints, ...placeholders], tokens)) {
    await outbox.add(trx, { ...intent, now })
  }
  for (const mint of mints) {
    if (mint.status === 'failed') continue
    const { svcId } = INTENT_PAYLOADS['identity.mint'].parse(mint.payload)
    await agents.update(trx, svcId, { blockchainStatus: 'pending', updatedAt: now })
  }
  for (const intent of [...handOvers, ...feedback])
    await outbox.add(trx, { ...resetIntent(intent, tokens), now })
  await openOtherLogs(deps, trx, now)
  for (const { log, batch } of batches) {
    const idempotencyKey = intentKey.anchor(logIds.get(log) ?? logId, batch)
    await outbox.add(trx, { idempotencyKey, kind: 'audit.anchor', payload: { batch, log }, now })
  }
}

/** Orders the opening of all logs besides the first, whether or not they were opened elsewhere. */
export async function openOtherLogs(
  { logs, outbox }: Pick<ReplayDeps, 'logs'> & { outbox: Pick<OutboxStore, 'addAgain'> },
  trx: Trx,
  now: number,
): Promise<void> {
  for (const { logId } of await logs.ids(trx)) {
    const idempotencyKey = intentKey.open(logId)
    await outbox.addAgain(trx, { idempotencyKey, kind: 'audit.open', payload: { logId }, now })
  }
}

type Tokens = ReadonlyMap<string, AgentToken>

function isWanted({ status }: Intent): boolean {
  return status !== 'failed'
}

/** A token that was handed over belongs to its new holder from the mint on. */
function isStillWanted(tokens: Tokens): (intent: Intent) => boolean {
  return (intent) => {
    const { svcId } = INTENT_PAYLOADS['identity.handOver'].parse(intent.payload)
    return isWanted(intent) && tokens.get(svcId)?.custody === 'registry'
  }
}

/** Identities with an id come first, in order and with the gaps filled, then those still waiting for one. */
function orderIdentities(intents: Intent[], tokens: Tokens): ResetIntent[] {
  const placed: { agentId: number; intent: ResetIntent }[] = []
  const waiting: Intent[] = []
  for (const intent of intents) {
    if (intent.status === 'failed') continue
    if (intent.result === null) waiting.push(intent)
    else
      placed.push({
        agentId: Number(mintResult.parse(intent.result).agentId),
        intent: resetIntent(intent, tokens),
      })
  }
  placed.sort((a, b) => a.agentId - b.agentId)
  waiting.sort((a, b) => a.id - b.id)
  const ordered: ResetIntent[] = []
  for (const { agentId, intent } of placed) {
    while (ordered.length + 1 < agentId) ordered.push(buildPlaceholder(ordered.length + 1))
    ordered.push(intent)
  }
  return [...ordered, ...waiting.map((intent) => resetIntent(intent, tokens))]
}

function resetIntent(intent: Intent, tokens: Tokens): ResetIntent {
  const { idempotencyKey, kind, payload, attempts, result } = intent
  const { strangerId, accountId, network } = intent
  const same = { idempotencyKey, kind, strangerId, accountId, network }
  if (kind !== 'identity.mint') return { ...same, payload: payload as object }
  const mint = INTENT_PAYLOADS['identity.mint'].parse(payload)
  const token = tokens.get(mint.svcId)
  const owner = token ? (token.custody === 'registry' ? null : token.holder) : mint.owner
  const wasUsed = attempts > 0 || result !== null
  const consent = wasUsed ? null : mint.consent
  return { ...same, payload: { ...mint, owner, agentURI: token?.uri ?? mint.agentURI, consent } }
}

function buildPlaceholder(agentId: number): ResetIntent {
  const payload = { agentId: String(agentId) }
  return { idempotencyKey: intentKey.placeholder(payload.agentId), kind: 'identity.placeholder', payload }
}
