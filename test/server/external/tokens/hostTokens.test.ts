import { expect } from 'chai'
import { createHostTokenOf } from '../../../../server/external/tokens/hostTokens.ts'

const KEY = new Uint8Array(32).fill(7)

describe('the tokens that prove a host', () => {
  const tokenOf = createHostTokenOf(KEY)

  it('are the same each time, in every process with the same key', () => {
    expect(tokenOf('SVCO-a', 'a.io')).to.equal(createHostTokenOf(Uint8Array.from(KEY))('SVCO-a', 'a.io'))
    expect(tokenOf('SVCO-a', 'a.io')).to.match(/^[0-9A-Za-z]{22}$/)
  })

  it('differ for every owner, host and key', () => {
    const others = [
      tokenOf('SVCO-b', 'a.io'),
      tokenOf('SVCO-a', 'b.io'),
      createHostTokenOf(new Uint8Array(32))('SVCO-a', 'a.io'),
    ]
    expect(new Set([tokenOf('SVCO-a', 'a.io'), ...others]).size).to.equal(4)
  })
})
