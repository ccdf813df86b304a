import { expect } from 'chai'
import { createAgedCache } from '../../../../server/services/foreign/createAgedCache.ts'

describe('createAgedCache', () => {
  const open = (max = 10) =>
    createAgedCache<string>({
      ...{ ageMs: 100, staleMs: 1_000, max },
      faults: {
        ageMs: 10,
        isFault: (value) => value.startsWith('fault'),
        mayPass: (value) => value === 'fault that may pass',
      },
    })
  const returns = (value: string) => async () => value
  const fails = async () => {
    throw new Error('the node does not respond')
  }
  const never = async () => {
    throw new Error('loaded needlessly')
  }

  it('keeps a value for its age, and shares the load of concurrent requests', async () => {
    const cache = open()
    let answer: (value: string) => void = () => {}
    const first = cache.get('a', 0, () => new Promise<string>((resolve) => (answer = resolve)))
    const second = cache.get('a', 5, never)
    answer('one')
    expect(await Promise.all([first, second])).to.deep.equal(['one', 'one'])
    expect(await cache.get('a', 99, never)).to.equal('one')
    expect(await cache.get('a', 100, returns('two'))).to.equal('two')
  })

  it('falls back to the last good value while loads fail, for all that wait, and tries again each time', async () => {
    const cache = open()
    await cache.get('a', 0, returns('one'))
    const waiting = [cache.get('a', 200, fails), cache.get('a', 201, never)]
    expect(await Promise.all(waiting)).to.deep.equal(['one', 'one'])
    // Two loads that overlap because the first takes longer than a value counts.
    const overlapping = [cache.get('a', 300, fails), cache.get('a', 400, fails)]
    expect(await Promise.all(overlapping)).to.deep.equal(['one', 'one'])
    expect(await cache.get('a', 500, fails)).to.equal('one')
    expect(await cache.get('a', 501, returns('two'))).to.equal('two')
  })

  it('throws once the last good value is too old, or if there is none', async () => {
    const cache = open()
    await cache.get('a', 0, returns('one'))
    for (const [key, now] of [
      ['a', 1_000],
      ['b', 0],
    ] as const) {
      const error = await cache.get(key, now, fails).catch((thrown: Error) => thrown)
      expect(error).to.be.an('error')
    }
  })

  it('keeps a fault for a shorter time, and prefers the last good value to one that may pass', async () => {
    const cache = open()
    expect(await cache.get('a', 0, returns('fault that may pass'))).to.equal('fault that may pass')
    expect(await cache.get('a', 9, never)).to.equal('fault that may pass')
    expect(await cache.get('a', 10, returns('one'))).to.equal('one')
    expect(await cache.get('a', 110, returns('fault that may pass'))).to.equal('one')
    expect(await cache.get('a', 119, never)).to.equal('one')
    expect(await cache.get('a', 120, returns('fault'))).to.equal('fault')
    expect(await cache.get('a', 130, returns('fault that may pass'))).to.equal('fault that may pass')
  })

  it('forgets what was not asked for lately', async () => {
    const cache = open(2)
    for (const key of ['a', 'b', 'c']) await cache.get(key, 0, returns(key))
    expect(await cache.get('b', 1, never)).to.equal('b')
    expect(await cache.get('a', 1, returns('again'))).to.equal('again')
  })
})
