import { expect } from 'chai'
import { createKeyRing, type PrivateJwk, toRingKey } from '../../../../server/external/keys/keyRing.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'

const jwkOf = () => createAgentKey('P-256').privateJwk as PrivateJwk

describe('createKeyRing', () => {
  const first = jwkOf()
  const second = toRingKey(jwkOf(), { signsFrom: 100, formerUntil: 150 })
  const third = toRingKey(jwkOf(), { signsFrom: 200, formerUntil: 200 })
  const ring = createKeyRing(first)
  const { kid } = ring.signing(0)
  ring.setLater([third, second])

  it('signs with the newest key whose time has come', () => {
    for (const [now, expected] of [
      [99, kid],
      [100, second.kid],
      [199, second.kid],
      [200, third.kid],
    ] as const)
      expect(ring.signing(now).kid, `at ${now}`).to.equal(expected)
  })

  it('publishes a key before it signs, and a former one until its time is over', () => {
    const publishedAt = (now: number) => ring.published(now).map((key) => key.kid)
    expect(publishedAt(0)).to.deep.equal([kid, second.kid, third.kid])
    expect(publishedAt(149)).to.deep.equal([kid, second.kid, third.kid])
    expect(publishedAt(150)).to.deep.equal([second.kid, third.kid])
    expect(publishedAt(200)).to.deep.equal([third.kid])
  })

  it('publishes no key before a stolen one any longer than that, however long its own time is', () => {
    const longer = createKeyRing(first)
    longer.setLater([{ ...second, formerUntil: 1_000 }, third])
    const publishedAt = (now: number) => longer.published(now).map((key) => key.kid)
    expect(publishedAt(199)).to.deep.equal([kid, second.kid, third.kid])
    expect(publishedAt(200)).to.deep.equal([third.kid])
    longer.setLater([
      { ...second, formerUntil: 1_000 },
      { ...third, formerUntil: 201 },
    ])
    expect(publishedAt(201), 'withdrawn later').to.deep.equal([kid, third.kid])
    expect([kid, second.kid, third.kid].map(longer.acceptedUntil)).to.deep.equal([1_000, 201, Infinity])
  })

  it('knows every key that there has been', () => {
    expect(ring.all().map((key) => key.kid)).to.deep.equal([kid, second.kid, third.kid])
  })
})
