import { createHash } from 'node:crypto'
import { parseContentDigest, readSha256Digest, writeContentDigest } from '@svc/core/signing/contentDigest.ts'
import { expect } from 'chai'
import fc from 'fast-check'

/** RFC 9530 appendix B.1: the digest of `{"hello": "world"}` and a line feed. */
const EXAMPLE = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:'

describe('Content-Digest', () => {
  it('is that of RFC 9530', () => {
    const digest = createHash('sha256').update('{"hello": "world"}\n').digest()
    expect(writeContentDigest(digest)).to.equal(EXAMPLE)
    expect(readSha256Digest(EXAMPLE)).to.deep.equal(new Uint8Array(digest))
  })

  it('is read back as it was written, beside others', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
        const header = writeContentDigest(digest)
        expect(readSha256Digest(header)).to.deep.equal(digest)
        expect(readSha256Digest(`sha-512=:AAAA:,\t${header} , unixsum=:AA==:`)).to.deep.equal(digest)
      }),
    )
  })

  it('lists every algorithm', () => {
    expect([...(parseContentDigest(`sha-512=:AAAA:, ${EXAMPLE}`)?.keys() ?? [])]).to.deep.equal([
      'sha-512',
      'sha-256',
    ])
  })

  it('is refused if readers could disagree about it', () => {
    for (const header of [
      ...['', ',', 'sha-256', 'sha-256=', 'sha-256=:RK/0:x', 'sha-256="RK/0"', `${EXAMPLE},`, `${EXAMPLE};a`],
      ...[`${EXAMPLE}, sha-256=:AAAA:`, 'sha-256=:AAB=:', 'SHA-256=:AAAA:', 'x="a, sha-256=:AAAA:"'],
    ]) {
      expect(parseContentDigest(header), header).to.equal(null)
      expect(readSha256Digest(header), header).to.equal(undefined)
    }
  })

  it('states no SHA-256 digest of another length', () => {
    expect(readSha256Digest('sha-256=:AAAA:')).to.equal(undefined)
  })
})
