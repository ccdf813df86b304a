import { expect } from 'chai'
import { shareReading } from '../../../../server/services/health/shareReading.ts'

describe('shareReading', () => {
  const open = () => {
    const scene = { now: 0, reads: 0, read: async (): Promise<number> => scene.reads }
    const reading = shareReading(
      () => {
        scene.reads += 1
        return scene.read()
      },
      500,
      () => scene.now,
    )
    return { scene, reading }
  }

  it('begins no second reading while one runs, however long it takes', async () => {
    const { scene, reading } = open()
    const { promise, resolve } = Promise.withResolvers<number>()
    scene.read = () => promise
    const first = reading()
    scene.now = 60_000
    const second = reading()
    expect(scene.reads).to.equal(1)
    resolve(7)
    expect(await Promise.all([first, second])).to.deep.equal([7, 7])
    scene.read = async () => 8
    expect(await reading()).to.equal(8)
  })

  it('shares a failure as it shares a result', async () => {
    const { scene, reading } = open()
    const broken = new Error('broken')
    scene.read = () => Promise.reject(broken)
    for (const at of [0, 499]) {
      scene.now = at
      expect(await reading().catch((error: unknown) => error)).to.equal(broken)
    }
    expect(scene.reads).to.equal(1)
    scene.now = 500
    scene.read = async () => 2
    expect(await reading()).to.equal(2)
  })
})
