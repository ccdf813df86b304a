import { expect } from 'chai'
import { createReplayMemory } from '../../../../server/external/webBotAuth/replayMemory.ts'

describe('replayMemory', () => {
  it('accepts a nonce once while its signature is valid', () => {
    const memory = createReplayMemory()
    expect([memory.use('a', 100, 0), memory.use('a', 100, 99), memory.use('a', 200, 100)]).to.deep.equal([
      true,
      false,
      true,
    ])
  })

  it('stays within its limit and forgets the oldest first', () => {
    const memory = createReplayMemory(2)
    for (const nonce of ['a', 'b', 'c']) memory.use(nonce, 100, 0)
    expect([memory.use('c', 100, 0), memory.use('b', 100, 0), memory.use('a', 100, 0)]).to.deep.equal([
      false,
      false,
      true,
    ])
  })
})
