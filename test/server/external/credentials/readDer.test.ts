import { expect } from 'chai'
import { readDer } from '../../../../server/external/credentials/readDer.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

describe('readDer', () => {
  it('reads consecutive values with lengths of one and more bytes', () => {
    const long = `04820100${'ab'.repeat(256)}`
    expect(readDer(bytes(`0201073000048101ff${long}`))).to.deep.equal([
      { tag: 2, content: bytes('07') },
      { tag: 0x30, content: bytes('') },
      { tag: 4, content: bytes('ff') },
      { tag: 4, content: bytes('ab'.repeat(256)) },
    ])
    expect(readDer(bytes(''))).to.deep.equal([])
  })

  it('throws if a value is cut short, or its length is too long or missing', () => {
    for (const hex of ['02', '0201', '0482', '048201', '04820001', '048500000000', '0480', '04ff']) {
      expect(() => readDer(bytes(hex)), hex).to.throw()
    }
  })
})
