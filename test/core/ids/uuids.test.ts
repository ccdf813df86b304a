import { generateUuidV4, generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const hexOf = (uuid: string) => BigInt(`0x${uuid.replaceAll('-', '')}`)

describe('a UUID version 4', () => {
  it('has the form, version and variant of the standard', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        expect(generateUuidV4(bytes)).to.match(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        )
      }),
    )
  })

  it('reproduces the example of the standard', () => {
    const bytes = Uint8Array.from(Buffer.from('919108f752d13320dbacf847db4148a8', 'hex'))
    expect(generateUuidV4(bytes)).to.equal('919108f7-52d1-4320-9bac-f847db4148a8')
  })

  it('preserves the other 122 bits', () => {
    const kept = 0xffffffff_ffff_0fff_3fff_ffffffffffffn
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        expect(hexOf(generateUuidV4(bytes)) & kept).to.equal(
          BigInt(`0x${Buffer.from(bytes).toString('hex')}`) & kept,
        )
      }),
    )
  })

  it('rejects any other number of bytes', () => {
    expect(() => generateUuidV4(new Uint8Array(10))).to.throw('16 bytes')
  })
})

describe('a UUID version 7', () => {
  it('reproduces the example of the standard', () => {
    const bytes = Uint8Array.from(Buffer.from('0cc318c4dc0c0c07398f', 'hex'))
    expect(generateUuidV7(0x017f22e279b0, bytes)).to.equal('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  })

  it('carries its time in milliseconds and sorts by it', () => {
    const random = fc.uint8Array({ minLength: 10, maxLength: 10 })
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
    fc.assert(
      fc.property(time, time, random, random, (a, b, randomA, randomB) => {
        const [first, second] = [generateUuidV7(a, randomA), generateUuidV7(b, randomB)]
        expect(first).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(Number(hexOf(first) >> 80n)).to.equal(a)
        if (a < b) expect(first < second).to.equal(true)
      }),
    )
  })

  it('rejects any other number of bytes and times out of range', () => {
    expect(() => generateUuidV7(0, new Uint8Array(16))).to.throw('10 bytes')
    for (const time of [-1, 0.5, 2 ** 48, Number.NaN]) {
      expect(() => generateUuidV7(time, new Uint8Array(10))).to.throw('is not a time')
    }
  })
})
