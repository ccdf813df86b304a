import { consistencyDocument } from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'

const hash = `0x${'ab'.repeat(32)}`
const DOCUMENT = {
  logId: hash,
  chainId: 31337,
  contract: `0x${'aB'.repeat(20)}`,
  fromSize: 1,
  fromRoot: hash,
  toSize: 2,
  toRoot: hash,
  consistencyProof: [hash],
}

describe('consistencyDocument', () => {
  it('accepts the members of the interface and ignores others', () => {
    expect(consistencyDocument.parse({ success: true, ...DOCUMENT })).to.deep.equal(DOCUMENT)
  })

  it('refuses hashes and addresses in another form, sizes that are none and a proof without end', () => {
    for (const bad of [
      { fromRoot: hash.slice(2) },
      { fromRoot: `${hash}00` },
      { toRoot: `1${hash}` },
      { toRoot: hash.toUpperCase() },
      { logId: '0x00' },
      { contract: '0x00' },
      { contract: `${DOCUMENT.contract}00` },
      { contract: `1${DOCUMENT.contract}` },
      { fromSize: 0 },
      { toSize: 1.5 },
      { chainId: -1 },
      { consistencyProof: Array(65).fill(hash) },
      { consistencyProof: undefined },
    ]) {
      expect(consistencyDocument.safeParse({ ...DOCUMENT, ...bad }).success, JSON.stringify(bad)).to.equal(
        false,
      )
    }
    expect(
      consistencyDocument.safeParse({ ...DOCUMENT, consistencyProof: Array(64).fill(hash) }).success,
    ).to.equal(true)
  })
})
