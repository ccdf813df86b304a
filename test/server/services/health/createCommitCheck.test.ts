import { expect } from 'chai'
import { createCommitCheck } from '../../../../server/services/health/createCommitCheck.ts'

describe('createCommitCheck', () => {
  /** A check over a database whose commits succeed, fail or hang, with a clock of its own. */
  const open = () => {
    const scene = {
      now: 0,
      commits: 0,
      reported: [] as unknown[],
      isFailing: false,
      commit: async (): Promise<void> => undefined,
      read: async (): Promise<void> => undefined,
    }
    const check = createCommitCheck({
      commit: () => {
        scene.commits += 1
        return scene.commit()
      },
      read: () => scene.read(),
      isFailing: () => scene.isFailing,
      report: (cause) => scene.reported.push(cause),
      clock: () => scene.now,
    })
    return { scene, status: async () => (await check()).status }
  }
  const full = new Error('database or disk is full')
  const reject = () => Promise.reject(full)

  it('fails while commits fail, passes again once they succeed, and reports each failure once', async () => {
    const { scene, status } = open()
    expect(await status()).to.equal('pass')
    for (const times of [1, 2]) {
      scene.commit = reject
      for (let second = 0; second < 20; second += 1) {
        scene.now += 1_000
        expect(await status()).to.equal('fail')
      }
      expect(scene.reported).to.deep.equal(Array(times).fill(full))
      scene.commit = async () => undefined
      scene.now += 1_000
      expect(await status()).to.equal('pass')
    }
  })

  it('commits twice a second, however often it is asked', async () => {
    const { scene, status } = open()
    for (let n = 0; n < 100; n += 1) await Promise.all([status(), status()])
    expect(scene.commits).to.equal(1)
    scene.now += 499
    await status()
    expect(scene.commits).to.equal(1)
    scene.now += 1
    await status()
    expect(scene.commits).to.equal(2)
  })

  it('commits at once after a request whose commit failed', async () => {
    const { scene, status } = open()
    await status()
    scene.isFailing = true
    scene.commit = reject
    expect(await status()).to.equal('fail')
    await status()
    expect(scene.commits).to.equal(2)
  })

  it('does not wait for a commit that hangs: it is slow, or failing if others fail', async () => {
    const { scene, status } = open()
    scene.commit = () => new Promise(() => undefined)
    expect(await status()).to.equal('warn')
    scene.isFailing = true
    expect(await status()).to.equal('fail')
    expect(scene.commits).to.equal(1)
  })

  it('fails once a commit has run for 900 ms, and passes again once it has finished', async () => {
    const { scene, status } = open()
    const { promise, resolve } = Promise.withResolvers<void>()
    scene.commit = () => promise
    expect(await status()).to.equal('warn')
    scene.now += 900
    expect(await status()).to.equal('warn')
    scene.now += 1
    expect(await status()).to.equal('fail')
    expect(scene.commits).to.equal(1)
    resolve()
    expect(await status()).to.equal('pass')
  })

  it('has one commit in flight at most, also while reading fails and the commit hangs', async () => {
    const { scene, status } = open()
    const { promise, resolve } = Promise.withResolvers<void>()
    scene.commit = () => promise
    scene.read = reject
    for (let second = 0; second < 3; second += 1) {
      expect(await status()).to.equal('fail')
      scene.now += 1_000
    }
    expect([scene.commits, scene.reported]).to.deep.equal([1, [full]])
    scene.read = async () => undefined
    resolve()
    await status()
    expect(await status()).to.equal('pass')
    expect(scene.commits).to.equal(2)
  })

  it('only warns while readers wait and commits work', async () => {
    const { scene, status } = open()
    scene.read = () => new Promise(() => undefined)
    expect(await status()).to.equal('warn')
    scene.now += 10_000
    expect(await status()).to.equal('warn')
  })
})
