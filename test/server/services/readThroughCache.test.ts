import { expect } from 'chai'
import { createReadThroughCache } from '../../../server/services/readThroughCache.ts'

describe('readThroughCache', () => {
  it('loads a key once for all who ask at the same time', async () => {
    let loads = 0
    const cache = createReadThroughCache({ max: 10, load: async (key) => `${key}${++loads}` })
    expect(await Promise.all([cache.get('a'), cache.get('a')])).to.deep.equal(['a1', 'a1'])
  })

  it('answers a known key at once', async () => {
    const cache = createReadThroughCache({ max: 10, load: async (key) => key })
    await cache.get('a')
    expect(cache.get('a')).to.equal('a')
  })

  it('asks again for what was not there', async () => {
    const answers = [null, 'created']
    const cache = createReadThroughCache<string>({ max: 10, load: async () => answers.shift() ?? null })
    expect(await cache.get('a')).to.equal(null)
    expect(await cache.get('a')).to.equal('created')
  })

  it('forgets the longest unused keys past its bound', async () => {
    let loads = 0
    const cache = createReadThroughCache({ max: 4, load: async () => ++loads })
    for (const key of ['a', 'b', 'a', 'c', 'd', 'a', 'e']) await cache.get(key)
    expect(cache.get('a')).to.equal(1)
    expect(await cache.get('b')).to.equal(6)
  })

  it('does not keep a value that was invalidated while it was loading', async () => {
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

  it('asks again after a load that failed', async () => {
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
})
