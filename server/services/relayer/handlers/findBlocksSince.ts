import type { ChainClient } from '../../../chain/chainClient.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { HandlerContext } from '../intentHandler.ts'

/** A range of at most this many blocks is searched as a whole, without reading block times. */
const SHORT_RANGE = 10_000
/** Covers the difference between the chain's and the service's clocks, and events older than their intent: a consent. */
const SLACK_MS = 86_400_000

/**
 * Finds the range of blocks that can contain an intent's transaction: those at most one day older than the intent.
 *
 * Nodes that return the events of only a few blocks per request could not search the history of a long chain. The whole
 * history is returned if block times are unusable, on a chain whose time lags behind the clock.
 */
export async function findBlocksSince(
  chain: Pick<ChainClient, 'readBlockTime'>,
  { createdAt }: Pick<Intent, 'createdAt'>,
  { deployment, headBlock }: Pick<HandlerContext, 'deployment' | 'headBlock'>,
): Promise<{ first: number; last: number }> {
  const whole = { first: deployment.deployedBlock, last: headBlock }
  if (whole.last - whole.first < SHORT_RANGE) return whole
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
