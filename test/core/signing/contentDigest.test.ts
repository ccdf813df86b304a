import { createHash } from 'node:crypto'
import { parseContentDigest, readSha256Digest, writeContentDigest } from '@svc/core/signing/contentDigest.ts'
import { expect } from 'chai'
import fc from 'fast-check'

/** RFC 9530 appendix B.1: the digest of `{"hello": "world"}` and a line feed. */
const EXAMPLE = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:'

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe('Content-Digest', () => {
  it('is that of RFC 9530', () => {
    const digest = createHash('sha256').update('{"hello": "world"}\n').digest()
    expect(writeContentDigest(digest)).to.equal(EXAMPLE)
    expect(readSha256Digest(EXAMPLE)).to.equal(textOf(digest))
  })

  it('is read back as it was written, beside others', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
        const header = writeContentDigest(digest)
        expect(readSha256Digest(header)).to.equal(textOf(digest))
        expect(readSha256Digest(`sha-512=:AAAA:,\t${header} , unixsum=:AA==:`)).to.equal(textOf(digest))
      }),
    )
  })

  it('lists every algorithm', () => {
    const digests = parseContentDigest(`sha-512=:AAAA:, ${EXAMPLE}`)
    expect([...(digests?.keys() ?? [])]).to.deep.equal(['sha-512', 'sha-256'])
    expect(digests?.get('sha-512')).to.equal('AAAA')
  })

  it('may have parameters, which say nothing', () => {
    for (const parameters of [
      ';x',
      ';x=1; y=-2.5;z=@17',
      ';x="a, sha-256=:AAAA:\\"";y=?0',
      ';x=:AA==:;y=*to/k:en',
    ]) {
      const header = `sha-512=:AAAA:${parameters}, ${EXAMPLE}${parameters}`
      expect(parseContentDigest(header), header).to.deep.equal(
        parseContentDigest(`sha-512=:AAAA:, ${EXAMPLE}`),
      )
    }
  })

  it('is refused if readers could disagree about it', () => {
    for (const header of [
      ...['', ',', 'sha-256', 'sha-256=', 'sha-256=:RK/0:x', 'sha-256="RK/0"', `${EXAMPLE},`, `${EXAMPLE};`],
      ...[
        `${EXAMPLE};A`,
        `${EXAMPLE};a=`,
        `${EXAMPLE};a="b`,
        `${EXAMPLE} ;a`,
        `${EXAMPLE};a b`,
        `${EXAMPLE}\n`,
      ],
      ...[
        `${EXAMPLE}, sha-256=:AAAA:`,
        `${EXAMPLE};a="b", sha-256=:AAAA:`,
        'SHA-256=:AAAA:',
        'x="a, sha-256=:AAAA:"',
        'sha-256=:_-8=:',
      ],
    ]) {
      expect(parseContentDigest(header), header).to.equal(null)
      expect(readSha256Digest(header), header).to.equal(undefined)
    }
  })

  it('states no SHA-256 digest of another length or spelling', () => {
    const text = textOf(new Uint8Array(32))
    for (const digest of [
      'AAAA',
      text.slice(4),
      `AAAA${text}`,
      text.replace('A=', 'B='),
      text.slice(0, -1),
    ]) {
      expect(readSha256Digest(`sha-256=:${digest}:`), digest).to.equal(undefined)
    }
    expect(readSha256Digest(`sha-256=:${text}:`)).to.equal(text)
  })
})
