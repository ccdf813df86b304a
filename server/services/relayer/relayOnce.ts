import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import { fillGap } from './fillGap.ts'
import { notifyConfirmed } from './notifications.ts'
import { prepareIntents } from './prepareIntents.ts'
import type { ForkWatch } from './preparePoll.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import { reopenLost } from './reopenLost.ts'
import { sendIntents } from './sendIntents.ts'
import { startRound } from './startRound.ts'
import { trackIntents } from './trackIntents.ts'

/**
 * Runs one round of the relayer: checks transactions in flight, prepares new intents and sends what is due.
 *
 * Each step leaves the outbox in a state from which any process can continue, so their order matters for speed, not for
 * safety: a batch is sent before other intents are prepared, each of which takes several requests to the node, and notifying
 * others comes last.
 *
 * @param watch Chain head seen by earlier rounds of this process; a new watch makes the round compare all recent blocks.
 * @returns How many intents moved; 0 means that there is nothing to do until the next block or intent.
 */
export async function relayOnce(
  deps: RelayerDeps,
  deployment: Deployment,
  watch: ForkWatch = { last: null },
): Promise<number> {
  const round = await startRound(deps, deployment, watch)
  return (
    (await reopenLost(deps, round, watch)) +
    (await trackIntents(deps, round)) +
    (await fillGap(deps, round)) +
    (await prepareIntents(deps, round, 'anchoring')) +
    (await sendIntents(deps, round)) +
    (await prepareIntents(deps, round, 'others')) +
    (await sendIntents(deps, round)) +
    (await notifyConfirmed(deps))
  )
}
