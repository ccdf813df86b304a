import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { createProjectionLoop } from '../../../server/workers/projectionLoop.ts'

/** A log and a feed whose responses may arrive out of order. */
function openRemote() {
  let logSize = 0
  let nextSeq = 0
  const later = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 3))
  return {
    append: () => {
      logSize += 1
      return logSize
    },
    async logSize() {
      const size = logSize
      await later()
      return size
    },
    async projectChunk() {
      const size = logSize
      await later()
      nextSeq = size
      return nextSeq
    },
  }
}

/** Runs a loop over a log that grows during each chunk, and counts the chunks until `passed`. */
async function countChunks(growth: number, passed = passTurns): Promise<number> {
  let chunks = 0
  let logSize = 1
  const loop = createProjectionLoop({
    logSize: () => logSize,
    projectChunk() {
      chunks += 1
      const nextSeq = logSize
      logSize += growth
      return nextSeq
    },
    ...{ checkpoint: () => undefined, advanced: () => undefined, caughtUp: () => undefined },
  })
  await passed()
  await loop.stop()
  return chunks
}

/** A hundred turns of the event loop. */
async function passTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
}

describe('projectionLoop', () => {
  it('rests although records arrive during each chunk, so that those of a pause become one', async () => {
    expect(await countChunks(1)).to.equal(1)
  })

  it('rests longer after many records', async () => {
    expect(await countChunks(1_000, () => pause(900))).to.be.at.most(2)
  })

  it('does not rest while it is far behind', async () => {
    expect(await countChunks(5_000)).to.be.greaterThan(10)
  })

  it('resolves each request once, after everything that was in the log at the time of the request', async function () {
    this.timeout(20_000)
    const remote = openRemote()
    const asked = new Map<number, number>()
    const answered = new Map<number, number>()
    const { promise: allAnswered, resolve } = Promise.withResolvers<void>()
    const loop = createProjectionLoop({
      ...remote,
      checkpoint: () => undefined,
      advanced: () => undefined,
      caughtUp(ids, nextSeq) {
        for (const id of ids) {
          expect(answered.has(id)).to.equal(false)
          answered.set(id, nextSeq)
        }
        if (answered.size === 300) resolve()
      },
    })
    for (let id = 0; id < 300; id += 1) {
      asked.set(id, remote.append())
      loop.catchUp(id)
      if (id % 3 === 0) await new Promise((done) => setTimeout(done, Math.random() * 4))
    }
    await allAnswered
    await loop.stop()
    for (const [id, size] of asked) expect(answered.get(id)).to.be.at.least(size)
  })
})
