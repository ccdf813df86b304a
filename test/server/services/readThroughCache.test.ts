import { expect } from 'chai'
import fc from 'fast-check'
import { createReadThroughCache } from '../../../server/services/readThroughCache.ts'

describe('readThroughCache', () => {
  it('loads a key once for concurrent callers', async () => {
    let loads = 0
    const cache = createReadThroughCache({ max: 10, load: async (key) => `${key}${++loads}` })
    expect(await Promise.all([cache.get('a'), cache.get('a')])).to.deep.equal(['a1', 'a1'])
  })

  it('returns a cached key immediately', async () => {
    const cache = createReadThroughCache({ max: 10, load: async (key) => key })
    await cache.get('a')
    expect(cache.get('a')).to.equal('a')
  })

  it('reloads keys that did not exist', async () => {
    const answers = [null, 'created']
    const cache = createReadThroughCache<string>({ max: 10, load: async () => answers.shift() ?? null })
    expect(await cache.get('a')).to.equal(null)
    expect(await cache.get('a')).to.equal('created')
  })

  it('evicts the least recently used keys beyond its limit', async () => {
    let loads = 0
    const cache = createReadThroughCache({ max: 4, load: async () => ++loads })
    for (const key of ['a', 'b', 'a', 'c', 'd', 'a', 'e']) await cache.get(key)
    expect(cache.get('a')).to.equal(1)
    expect(await cache.get('b')).to.equal(6)
  })

  it('does not cache a value that was invalidated while loading', async () => {
    const answers = ['old', 'new']
    const releases: (() => void)[] = []
    const cache = createReadThroughCache({
      max: 10,
      load: () =>
        new Promise<string>((resolve) => {
          const answer = answers.shift() ?? ''
          releases.push(() => resolve(answer))
        }),
    })
    const first = cache.get('a')
    cache.delete('a')
    const second = cache.get('a')
    for (const release of releases) release()
    expect(await first).to.equal('old')
    expect(await second).to.equal('new')
    expect(cache.get('a')).to.equal('new')
  })

  it('reloads after a failure', async () => {
    let loads = 0
    const cache = createReadThroughCache({
      max: 10,
      load: async () => {
        loads += 1
        if (loads === 1) throw new Error('down')
        return loads
      },
    })
    expect(await Promise.resolve(cache.get('a')).catch((error: Error) => error.message)).to.equal('down')
    expect(await cache.get('a')).to.equal(2)
  })

  it('passes a failure on to all waiting callers', async () => {
    const cache = createReadThroughCache({ max: 10, load: () => Promise.reject(new Error('down')) })
    const outcomes = await Promise.allSettled([cache.get('a'), cache.get('a')])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
  })

  it('holds at most max values, and always the max / 2 most recently used', async () => {
    const uses = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(uses, fc.integer({ min: 2, max: 12 }), async (numbers, max) => {
        let loads = 0
        const cache = createReadThroughCache({ max, load: async (key) => ({ key, load: ++loads }) })
        let recent: string[] = []
        for (const key of numbers.map(String)) {
          const loadsBefore = loads
          expect((await cache.get(key))?.key).to.equal(key)
          if (recent.includes(key)) expect(loads).to.equal(loadsBefore)
          recent = [key, ...recent.filter((other) => other !== key)].slice(0, Math.floor(max / 2))
        }
        const held = [...new Set(numbers.map(String))].filter((key) => !(cache.get(key) instanceof Promise))
        expect(held.length).to.be.at.most(max)
      }),
    )
  })
})
