import { createHash } from 'node:crypto'
import { revealDisclosures } from '@svc/core/credentials/revealDisclosures.ts'
import { expect } from 'chai'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const digestOf = (disclosure: string) => createHash('sha256').update(disclosure).digest('base64url')

/** A disclosure with its digest. */
const disclose = (...contents: unknown[]) => {
  const text = part(contents)
  return { text, digest: digestOf(text) }
}
const refusal = { ok: false, fault: 'malformed' }

describe('revealDisclosures', () => {
  it('reveals members and elements at any depth, and removes digests without a disclosure', () => {
    const street = disclose('s1', 'street', 'Main St')
    const address = disclose('s2', 'address', { _sd: [street.digest, 'decoy'], city: 'Bonn' })
    const second = disclose('s3', { level: 2 })
    const payload = {
      iss: 'me',
      _sd: ['withheld', address.digest],
      _sd_alg: 'sha-256',
      levels: [1, { '...': second.digest }, { '...': 'withheld too' }],
      empty: { _sd: [] },
    }
    const { text: unsorted } = street
    expect(revealDisclosures(payload, [second.text, unsorted, address.text])).to.deep.equal({
      ok: true,
      payload: {
        iss: 'me',
        levels: [1, { level: 2 }],
        empty: {},
        address: { city: 'Bonn', street: 'Main St' },
      },
    })
    expect(revealDisclosures({}, [])).to.deep.equal({ ok: true, payload: {} })
  })

  it('computes the digest of RFC 9901 §4.2.3', () => {
    const disclosure = 'WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0'
    const payload = { _sd: ['X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0'] }
    expect(revealDisclosures(payload, [disclosure])).to.deep.equal({
      ok: true,
      payload: { family_name: 'Möbius' },
    })
  })

  it('makes a disclosed __proto__ an ordinary member', () => {
    const { text, digest } = disclose('s', '__proto__', { admin: true })
    const revealed = revealDisclosures({ _sd: [digest] }, [text])
    if (!revealed.ok) throw new Error('refused')
    expect(Object.keys(revealed.payload)).to.deep.equal(['__proto__'])
    expect(revealed.payload.admin).to.equal(undefined)
  })

  it('supports SHA-256 only, in its one spelling', () => {
    for (const _sd_alg of ['sha-512', 'SHA-256', 'md5', null, 1]) {
      expect(revealDisclosures({ _sd_alg }, [])).to.deep.equal({ ok: false, fault: 'unsupported' })
    }
  })

  it('refuses unreadable disclosures, and too many', () => {
    for (const text of ['', '=', 'W10=', part('x').concat('!'), Buffer.from('[1').toString('base64url')]) {
      expect(revealDisclosures({ _sd: [digestOf(text)] }, [text]), text).to.deep.equal(refusal)
    }
    const many = Array.from({ length: 201 }, (_, nth) => disclose('s', `name${nth}`, 1))
    const reveal = (some: typeof many) =>
      revealDisclosures(
        { _sd: some.map(({ digest }) => digest) },
        some.map(({ text }) => text),
      ).ok
    expect([reveal(many.slice(1)), reveal(many)]).to.deep.equal([true, false])
  })

  it('refuses what its disclosures nest deeper than 64 levels', () => {
    const nested = (levels: number) => {
      let inner = disclose('s', 0)
      const texts = [inner.text]
      for (let level = 1; level < levels; level += 1) {
        inner = disclose('s', [{ '...': inner.digest }])
        texts.push(inner.text)
      }
      return revealDisclosures({ items: [{ '...': inner.digest }] }, texts).ok
    }
    expect([nested(20), nested(100)]).to.deep.equal([true, false])
  })
})
