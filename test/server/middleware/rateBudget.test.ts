import { expect } from 'chai'
import { createNestedBudget } from '../../../server/middleware/rateBudget.ts'

const NOW = Date.UTC(2026, 0, 5)

describe('a budget of several rules', () => {
  const open = () => {
    const { take } = createNestedBudget([
      { name: 'key', max: 3, windowSeconds: 60 },
      { name: 'account', max: 5, windowSeconds: 60 },
      { name: 'network', max: 7, windowSeconds: 60 },
    ])
    return (callers: readonly string[], now = NOW) => {
      try {
        return { ...take(callers, now), refused: false }
      } catch (error) {
        const { code, headers } = error as { code: string; headers: Record<string, string> }
        expect(code).to.equal('RATE_LIMITED')
        return { ...headers, refused: true }
      }
    }
  }
  const isTaken = ({ refused }: { refused: boolean }) => !refused

  it('admits a call that every rule admits', () => {
    const take = open()
    const taken = ['a', 'a', 'a', 'a', 'b', 'b', 'b'].map((key) => isTaken(take([key, 'ada', 'home'])))
    expect(taken).to.deep.equal([true, true, true, false, true, true, false])
  })

  it('counts a refused call in no window behind the one that refuses it', () => {
    const take = open()
    for (let nth = 0; nth < 100; nth += 1) take(['a', 'ada', 'home'])
    expect([take(['b', 'ada', 'home']), take(['c', 'ada', 'home'])].map(isTaken)).to.deep.equal([true, true])
    for (let nth = 0; nth < 100; nth += 1) take([`key${nth}`, 'ada', 'home'])
    expect([take(['d', 'bob', 'home']), take(['d', 'bob', 'home'])].map(isTaken)).to.deep.equal([true, true])
    expect(isTaken(take(['d', 'bob', 'home']))).to.equal(false)
    expect(isTaken(take(['e', 'bob', 'office']))).to.equal(true)
  })

  it('describes the rule that leaves the fewest calls, and the one that refuses', () => {
    const take = open()
    const left = (key: string, now?: number) => take([key, 'ada', 'home'], now)
    expect(left('a')).to.deep.include({
      'RateLimit-Policy': '"key";q=3;w=60',
      RateLimit: '"key";r=2;t=60',
    })
    left('b')
    left('b')
    expect(left('c', NOW + 15_000)).to.deep.include({
      'RateLimit-Policy': '"account";q=5;w=60',
      RateLimit: '"account";r=1;t=45',
    })
    left('d')
    expect(left('e', NOW + 20_000)).to.deep.include({
      'RateLimit-Policy': '"account";q=5;w=60',
      RateLimit: '"account";r=0;t=40',
      'Retry-After': '40',
    })
  })
})
