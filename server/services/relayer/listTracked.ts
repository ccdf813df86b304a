import type { Intent } from '../../store/relayer/intentRow.ts'
import type { RelayerDeps } from './relayerDeps.ts'

/** Intents of either list that a round looks up. */
const TRACKED_MAX = 100

/** Lists the intents whose transactions may be on chain and are not final. */
export async function listTracked({ outbox }: Pick<RelayerDeps['stores'], 'outbox'>): Promise<Intent[]> {
  return [
    // In a list of their own: behind many mined ones they would go unchecked, seem lost and be sent again.
    ...(await outbox.open(['signed', 'sent'], TRACKED_MAX)),
    ...(await outbox.open(['mined'], TRACKED_MAX)),
  ]
}
