import { expect } from 'chai'
import { watchWorkers } from '../../../../server/compose/processes/watchWorkers.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const ASK_MS = 5

describe('watchWorkers', () => {
  /** Watches two processes until one is given up or was asked often; the second answers every nth question. */
  async function watchTwo(everyNth: number) {
    const asked = { 1: 0, 2: 0 }
    const silent = new Set<number>()
    const givenUp: { id: number; seconds: number; asked: number }[] = []
    const watch = watchWorkers<{ id: 1 | 2 }>(
      {
        list: () => [{ id: 1 }, ...(givenUp.length > 0 ? [] : [{ id: 2 } as const])],
        ask(member) {
          asked[member.id] += 1
          if (member.id === 1 || asked[2] % everyNth === 0) watch.heard(member)
          if (watch.isSilent(member)) silent.add(member.id)
        },
        giveUp({ id }, seconds) {
          givenUp.push({ id, seconds, asked: asked[id] })
        },
      },
      ASK_MS,
    )
    await waitUntil(async () => (asked[1] >= 40 ? true : null))
    watch.stop()
    return { givenUp, silent: [...silent] }
  }

  it('gives up a process that leaves six questions unanswered, and no other', async () => {
    const { givenUp, silent } = await watchTwo(Number.POSITIVE_INFINITY)
    expect(givenUp).to.deep.equal([{ id: 2, seconds: (6 * ASK_MS) / 1_000, asked: 6 }])
    expect(silent).to.deep.equal([2])
  })

  it('begins to count again when a process answers, however late', async () => {
    expect((await watchTwo(6)).givenUp).to.deep.equal([])
  })
})
