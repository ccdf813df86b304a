import { parseForeignName, writeForeignName } from '@svc/core/foreign/foreignName.ts'
import { expect } from 'chai'

const ADDRESS = '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'

describe('the name of an agent of another registry', () => {
  it('has one spelling, whatever the case of the address', () => {
    const names = [ADDRESS, ADDRESS.toLowerCase()].map((address) =>
      parseForeignName(` eip155:8453:${address}/22 `),
    )
    for (const name of names) {
      expect(name).to.deep.equal({
        agentRegistry: `eip155:8453:${ADDRESS.toLowerCase()}`,
        chainId: 8453,
        registry: ADDRESS.toLowerCase(),
        agentId: 22,
      })
      expect(name && writeForeignName(name)).to.equal(`eip155:8453:${ADDRESS.toLowerCase()}/22`)
    }
  })

  it('rejects every other spelling', () => {
    for (const text of [
      '',
      `eip155:1:${ADDRESS}`,
      `eip155:1:${ADDRESS}/`,
      `eip155:1:${ADDRESS}/-1`,
      `eip155:1:${ADDRESS}/01`,
      `eip155:01:${ADDRESS}/1`,
      `eip155:0:${ADDRESS}/1`,
      `eip155:1:${ADDRESS}/9007199254740992`,
      `eip155:9007199254740992:${ADDRESS}/1`,
      `eip155:1:${ADDRESS.slice(0, -1)}/1`,
      `solana:1:${ADDRESS}/1`,
      `eip155:1:${ADDRESS}/1/2`,
    ]) {
      expect(parseForeignName(text), text).to.equal(null)
    }
  })
})
