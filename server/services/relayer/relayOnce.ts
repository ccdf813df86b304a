import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import { fillGap } from './fillGap.ts'
import { prepareIntents } from './prepareIntents.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import { type ForkWatch, reopenLost } from './reopenLost.ts'
import { startRound } from './round.ts'
import { sendIntents } from './sendIntents.ts'
import { tellIntents } from './tellIntents.ts'
import { trackIntents } from './trackIntents.ts'

/**
 * One round of the relayer: what became of the transactions on their way, what is new, what has to be sent.
 *
 * Each step leaves the outbox in a state from which any process can go on, so the order serves speed, not safety.
 *
 * @param watch What the rounds of one process remember of the chain's end; a new one makes the round look thoroughly.
 * @returns How much moved; 0 means that there is nothing to do until a block or an intent comes.
 */
export async function relayOnce(
  deps: RelayerDeps,
  deployment: Deployment,
  watch: ForkWatch = { last: null },
): Promise<number> {
  const round = await startRound(deps, deployment)
  return (
    (await reopenLost(deps, round, watch)) +
    (await trackIntents(deps, round)) +
    (await tellIntents(deps)) +
    (await fillGap(deps, round)) +
    (await prepareIntents(deps, round)) +
    (await sendIntents(deps, round))
  )
}
