import { foreignAccountOf } from '@svc/core/foreign/foreignAccountOf.ts'
import { expect } from 'chai'

describe('foreignAccountOf', () => {
  it('names the account on the chain of the registry', () => {
    const agentRegistry = 'eip155:8453:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432'
    const address = '0x00000000000000000000000000000000000000aa'
    expect(foreignAccountOf({ agentRegistry }, address)).to.equal(`eip155:8453:${address}`)
  })
})
