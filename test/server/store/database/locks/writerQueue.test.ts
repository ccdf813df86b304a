import { expect } from 'chai'
import type { LockName } from '../../../../../server/store/database/locks/lockName.ts'
import { createWriterQueue } from '../../../../../server/store/database/locks/writerQueue.ts'

/** Queues writers that run until they are ended, and lists which are running. */
function openQueue(runningMax: number) {
  const queue = createWriterQueue(runningMax)
  const running = new Map<string, () => void>()
  const settle = () => new Promise<void>((resume) => setImmediate(resume))
  return {
    add(writer: string, names?: readonly LockName[]) {
      void queue.run(names, () => new Promise<void>((end) => running.set(writer, end)))
    },
    async end(writer: string) {
      running.get(writer)?.()
      running.delete(writer)
      await settle()
    },
    async running() {
      await settle()
      return [...running.keys()].join(' ')
    },
  }
}

describe('createWriterQueue', () => {
  it('runs writers together that share no name, and the others in their order', async () => {
    const { add, end, running } = openQueue(9)
    add('a', ['agent 1'])
    add('b', ['agent 1', 'key 2'])
    add('c', ['key 2'])
    add('d', ['key 3'])
    add('e', [])
    expect(await running()).to.equal('a d e')
    await end('a')
    expect(await running()).to.equal('d e b')
    await end('b')
    expect(await running()).to.equal('d e c')
  })

  it('runs a writer without names alone, after all before it and before all after it', async () => {
    const { add, end, running } = openQueue(9)
    add('a', ['agent 1'])
    add('alone')
    add('b', ['agent 2'])
    expect(await running()).to.equal('a')
    await end('a')
    expect(await running()).to.equal('alone')
    await end('alone')
    expect(await running()).to.equal('b')
  })

  it('runs no more writers than it may', async () => {
    const { add, end, running } = openQueue(2)
    for (const writer of ['a', 'b', 'c']) add(writer, [])
    expect(await running()).to.equal('a b')
    await end('b')
    expect(await running()).to.equal('a c')
  })

  it('runs the next writer after one that failed', async () => {
    const queue = createWriterQueue(1)
    const failing = queue.run(undefined, () => Promise.reject(new Error('failed')))
    const next = queue.run(undefined, async () => 'ran')
    expect(await failing.catch(String)).to.equal('Error: failed')
    expect(await next).to.equal('ran')
  })
})
