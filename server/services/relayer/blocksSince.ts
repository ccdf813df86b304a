import type { ChainClient } from '../../chain/chainClient.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import type { HandlerContext } from './intentHandler.ts'

/** So many blocks are looked through without a question about their times. */
const SHORT = 10_000
/** How far the clocks of the chain and of the service may be apart, and what comes before its intent: a consent. */
const SLACK_MS = 86_400_000

/**
 * The blocks that can hold what an intent asks for: none is older than the intent, by more than a day.
 *
 * Nodes that tell events of few blocks at a time cannot look through the history of a long chain, and need not. The
 * whole of it is taken where the times of its blocks say nothing: on a chain that is behind the clock.
 */
export async function blocksSince(
  chain: Pick<ChainClient, 'readBlockTime'>,
  { createdAt }: Pick<Intent, 'createdAt'>,
  { deployment, headBlock }: Pick<HandlerContext, 'deployment' | 'headBlock'>,
): Promise<{ first: number; last: number }> {
  const whole = { first: deployment.deployedBlock, last: headBlock }
  if (whole.last - whole.first < SHORT) return whole
  const since = Math.floor((createdAt - SLACK_MS) / 1000)
  let [low, high] = [whole.first, whole.last]
  const newest = await chain.readBlockTime(high)
  if (newest === null || newest < since) return whole
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const time = await chain.readBlockTime(middle)
    if (time === null) return whole
    if (time < since) low = middle + 1
    else high = middle
  }
  return { first: low, last: whole.last }
}
