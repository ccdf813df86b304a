/**
 * Returns the order of the contenders in a round.
 *
 * Over as many rounds as there are contenders, or twice as many if their number is odd, each contender has each position
 * and follows each other contender equally often. After-effects, such as a disk that is still writing, thus affect all
 * contenders equally.
 *
 * @param round Counted from 1; the orders repeat after the last.
 * Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments", 1949.
 */
export function balancedOrder<Contender>(contenders: readonly Contender[], round: number): Contender[] {
  const count = contenders.length
  const rest = [...contenders.slice(round % count), ...contenders.slice(0, round % count)]
  const order: Contender[] = []
  // Alternating between both ends makes the steps between neighbours all different.
  while (rest.length > 0) order.push(...rest.splice(order.length % 2 === 1 ? 0 : -1, 1))
  const isSecondHalf = Math.floor((round - 1) / count) % 2 === 1
  return count % 2 === 1 && isSecondHalf ? order.reverse() : order
}
