import type { Intent } from '../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { BUDGET_SPENT } from './budget.ts'
import { ANCHORING_KINDS, type IntentKind } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'

const QUEUED_MAX = 100
/** Those of a log are sent one after another, so reading more of them would only delay the other intents. */
const ANCHORING_MAX = 10
/** The second half of a mint: a small budget completes some identities rather than beginning many. */
const SECOND_HALF: IntentKind = 'identity.transfer'

/** Behind all others, because nothing else depends on it. */
const LAST: IntentKind = 'reputation.feedback'

type Kinds = { only?: readonly IntentKind[]; except?: readonly IntentKind[] }

/**
 * Reads queued intents in the order in which they are worked on: gaps first, then anchors, second halves of mints, the
 * others, and feedback, each oldest first. Only those that are due are read, so that those that wait hide nothing; of
 * anchors also the others, because their order matters.
 *
 * Those for strangers are read apart, so that the others are found however many of them wait, and not at all during a pause
 * because their share of the budget is spent. Those of an account or network whose share is spent are not read during a
 * pause either.
 *
 * @param now Epoch milliseconds.
 */
export async function readQueue(
  { stores: { outbox } }: Pick<RelayerDeps, 'stores'>,
  now: number,
): Promise<Intent[]> {
  const isShareSpent = await outbox.isAnyDeferred(BUDGET_SPENT.strangers, now)
  const exceptPayers = await outbox.pausedPayers(BUDGET_SPENT, now)
  const read = async (kinds: Kinds) => {
    const selection = { ...kinds, exceptPayers, dueAt: now }
    const known = await outbox.open(['queued'], QUEUED_MAX, { ...selection, forStrangers: false })
    if (isShareSpent) return known
    const ofStrangers = await outbox.open(['queued'], QUEUED_MAX, { ...selection, forStrangers: true })
    return [...known, ...ofStrangers].sort((a, b) => a.id - b.id)
  }
  const anchoring = ANCHORING_KINDS.map((kind) => readAnchoring(outbox, kind))
  return [
    ...(await Promise.all(anchoring)).flat(),
    ...(await read({ only: [SECOND_HALF] })),
    ...(await read({ except: [...ANCHORING_KINDS, SECOND_HALF, LAST] })),
    ...(await read({ only: [LAST] })),
  ]
}

/** Reads the oldest intents of a kind; of anchors the oldest of each log, so that one log never hides the others. */
async function readAnchoring(outbox: Pick<OutboxStore, 'open'>, kind: IntentKind): Promise<Intent[]> {
  const found: Intent[] = []
  for (;;) {
    const exceptKeys = kind === ANCHOR ? [...new Set(found.map(keyOfLog))] : []
    const next = await outbox.open(['queued'], ANCHORING_MAX, { only: [kind], exceptKeys })
    found.push(...next)
    if (kind !== ANCHOR || next.length < ANCHORING_MAX) return found.sort((a, b) => a.id - b.id)
  }
}

const ANCHOR: IntentKind = 'audit.anchor'

/** The beginning of the keys of all anchors of a log. */
function keyOfLog({ idempotencyKey }: Intent): string {
  return idempotencyKey.slice(0, idempotencyKey.lastIndexOf(':') + 1)
}
