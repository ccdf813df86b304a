/**
 * Orders in which to load some contenders, one a round, so that in all rounds together each comes at each place once and
 * right after each other one equally often: what one leaves behind for the next, such as a disk that is still writing,
 * falls on all alike.
 *
 * @returns As many orders as there are contenders, twice as many where their number is odd.
 * Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments", 1949.
 */
export function balancedOrders<Contender>(contenders: readonly Contender[]): Contender[][] {
  const count = contenders.length
  // 0, 1, n − 1, 2, n − 2 …: the steps between neighbours are all different.
  const first = contenders.map((_, place) =>
    place % 2 === 1 ? (place + 1) / 2 : (count - place / 2) % count,
  )
  const orders = contenders.map((_, shift) =>
    first.flatMap((place) => contenders.slice((place + shift) % count).slice(0, 1)),
  )
  return count % 2 === 0 ? orders : [...orders, ...orders.map((order) => order.toReversed())]
}
