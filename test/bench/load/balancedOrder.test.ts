import { expect } from 'chai'
import { balancedOrder } from '../../../bench/load/balancedOrder.ts'

describe('balancedOrder', () => {
  for (const count of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`gives ${count} contenders each position and each predecessor equally often`, () => {
      const names = Array.from({ length: count }, (_, nth) => `contender ${nth}`)
      const times = count % 2 === 0 ? 1 : 2
      const orderOf = (round: number) => balancedOrder(names, round)
      const orders = Array.from({ length: count * times }, (_, nth) => orderOf(nth + 1))
      expect(orderOf(orders.length + 1)).to.deep.equal(orders[0])
      const places = new Map<string, number>()
      const pairs = new Map<string, number>()
      for (const order of orders) {
        expect(order).to.have.members(names)
        for (const [place, name] of order.entries()) {
          places.set(`${name} at ${place}`, (places.get(`${name} at ${place}`) ?? 0) + 1)
          if (place === 0) continue
          const pair = `${order[place - 1]}, ${name}`
          pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
        }
      }
      expect([...places.values()]).to.deep.equal(Array(count * count).fill(times))
      expect([...pairs.values()]).to.deep.equal(Array(count * (count - 1)).fill(times))
    })
  }
})
