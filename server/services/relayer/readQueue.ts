import type { Intent } from '../../store/relayer/intentRow.ts'
import { BUDGET_SPENT } from './budget.ts'
import { ANCHORING_KINDS, type IntentKind } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'

const QUEUED_MAX = 100
/** Anchors are sent one after another, so reading more of them would only delay the other intents. */
const ANCHORING_MAX = 10
/** The second half of a mint: a small budget completes some identities rather than beginning many. */
const SECOND_HALF: IntentKind = 'identity.transfer'

type Kinds = { only?: readonly IntentKind[]; except?: readonly IntentKind[] }

/**
 * Reads queued intents in the order in which they are worked on: gaps first, then anchors, second halves of mints, and the
 * others, each oldest first.
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
    const selection = { ...kinds, exceptPayers }
    const known = await outbox.open(['queued'], QUEUED_MAX, { ...selection, forStrangers: false })
    if (isShareSpent) return known
    const ofStrangers = await outbox.open(['queued'], QUEUED_MAX, { ...selection, forStrangers: true })
    return [...known, ...ofStrangers].sort((a, b) => a.id - b.id)
  }
  const anchoring = ANCHORING_KINDS.map((kind) => outbox.open(['queued'], ANCHORING_MAX, { only: [kind] }))
  return [
    ...(await Promise.all(anchoring)).flat(),
    ...(await read({ only: [SECOND_HALF] })),
    ...(await read({ except: [...ANCHORING_KINDS, SECOND_HALF] })),
  ]
}
