/**
 * The order in which to load some contenders in a round, such that in as many rounds as there are contenders, or twice as
 * many where their number is odd, each comes at each place and right after each other one equally often: what one leaves
 * behind for the next, such as a disk that is still writing, falls on all alike.
 *
 * @param round Counted from 1; the orders come again after the last.
 * Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments", 1949.
 */
export function balancedOrder<Contender>(contenders: readonly Contender[], round: number): Contender[] {
  const count = contenders.length
  const rest = [...contenders.slice(round % count), ...contenders.slice(0, round % count)]
  const order: Contender[] = []
  // From both ends in turn, so that the steps between neighbours are all different.
  while (rest.length > 0) order.push(...rest.splice(order.length % 2 === 1 ? 0 : -1, 1))
  const isSecondHalf = Math.floor((round - 1) / count) % 2 === 1
  return count % 2 === 1 && isSecondHalf ? order.reverse() : order
}
