import { createHash } from 'node:crypto'
import type { RequestFacts } from '@svc/client'
import { checkBody } from '@svc/client/gateway/checkBody.ts'
import { readRequest } from '@svc/client/gateway/readRequest.ts'
import { expect } from 'chai'

const digestOf = (body: string, algorithm = 'sha256') =>
  `${algorithm.replace('sha', 'sha-')}=:${createHash(algorithm).update(body).digest('base64')}:`

const COVERED = { signature: 'svc=:AA==:', 'signature-input': 'svc=("content-digest")' }
const UNCOVERED = { signature: 'svc=:AA==:', 'signature-input': 'svc=("@path")' }

/** The digest that is handed over, or the code with which the request is refused. */
async function check(facts: RequestFacts): Promise<string | undefined> {
  const { refusal, ...checked } = { contentDigest: undefined, ...(await checkBody(readRequest(facts))) }
  return refusal ? `${refusal.status} ${refusal.body.code}` : checked.contentDigest
}
const covered = (digest: string, body: RequestFacts['body']) =>
  check({ headers: { ...COVERED, 'content-digest': digest }, body })

describe('checkBody', () => {
  it('hands over the digest that the signature covers, if the body has it', async () => {
    for (const body of ['ä', '']) {
      expect(await covered(digestOf(body), body)).to.equal(digestOf(body))
      expect(await covered(digestOf(body), new TextEncoder().encode(body))).to.equal(digestOf(body))
    }
    for (const digest of [
      digestOf('a', 'sha512'),
      `${digestOf('a')}, ${digestOf('a', 'sha512')}`,
      `unixsum=:AA==:, ${digestOf('a')}`,
    ]) {
      expect(await covered(digest, 'a')).to.equal(digest)
    }
  })

  it('ignores parameters of a digest', async () => {
    const digest = `${digestOf('a')};x=1`
    expect(await covered(digest, 'a')).to.equal(digest)
  })

  it('says which digest the body does not have, or that none can be compared', async () => {
    const messageOf = async (headers: Record<string, string>) => {
      const checked = await checkBody(readRequest({ method: 'POST', target: '/', headers, body: 'a' }))
      return checked.refusal?.body.message
    }
    const bodyHash = Buffer.from(JSON.stringify({ bodyHash: digestOf('b') })).toString('base64url')
    expect(await messageOf({ 'x-svc-proof': `e30.${bodyHash}.AA` })).to.contain(
      'the bodyHash of the intent proof',
    )
    for (const digest of ['unixsum=:AA==:', 'sha-256', '']) {
      expect(await messageOf({ ...COVERED, 'content-digest': digest }), digest).to.contain('states no digest')
    }
    expect(await messageOf({ ...COVERED, 'content-digest': digestOf('b') })).to.contain('does not match')
  })

  it('refuses every other body', async () => {
    const mismatch = '403 content_digest_mismatch'
    for (const digest of [
      digestOf('b'),
      digestOf('b', 'sha512'),
      `${digestOf('a')}, ${digestOf('b', 'sha512')}`,
      `${digestOf('b')}, ${digestOf('a', 'sha512')}`,
      `${digestOf('a')}, ${digestOf('a')}`,
      'unixsum=:AA==:',
      'sha-256=:AAAA:',
      'constructor=:AAAA:',
      'sha-256',
      '',
    ]) {
      expect(await covered(digest, 'a'), digest).to.equal(mismatch)
    }
    expect(await covered(digestOf('a'), '')).to.equal(mismatch)
    expect(await covered(digestOf(''), 'a')).to.equal(mismatch)
  })

  it('computes the digest of a body that the signature leaves open, or that an intent proof may state', async () => {
    for (const headers of [
      UNCOVERED,
      { ...UNCOVERED, 'content-digest': digestOf('b') },
      { 'x-svc-proof': 'a.b.c', 'content-digest': digestOf('b') },
      {
        'x-svc-proof': 'a.b.c',
        'signature-input': 'svc=("content-digest")',
        'content-digest': digestOf('b'),
      },
    ]) {
      expect(await check({ headers, body: 'a' })).to.equal(digestOf('a'))
      expect(await check({ headers, body: '' })).to.equal(undefined)
    }
    for (const name of ['X-Svc-Proof', 'x-svc-proof']) {
      expect(await check({ metadata: { [name]: 'a.b.c' }, body: 'a' })).to.equal(digestOf('a'))
    }
  })

  it('ignores the body of a request that proves nothing, and hands over nothing without a body', async () => {
    expect(await check({ headers: { 'content-digest': digestOf('b') }, body: 'a' })).to.equal(undefined)
    expect(await check({ headers: { ...COVERED, 'content-digest': digestOf('b') } })).to.equal(undefined)
    expect(await check({ headers: UNCOVERED })).to.equal(undefined)
  })

  it('refuses a body that is too long for the digest that a signature covers, and no other', async () => {
    const body = { unread: 'too_long' } as const
    expect(await covered(digestOf('a'), body)).to.equal('413 content_digest_unverifiable')
    expect(await check({ headers: UNCOVERED, body })).to.equal('unknown')
    expect(await check({ headers: { 'x-svc-proof': 'a.b.c' }, body })).to.equal('unknown')
    expect(await check({ headers: {}, body })).to.equal(undefined)
  })

  it('refuses a body that is too slow, or for which there is no room, whatever could depend on it', async () => {
    for (const headers of [COVERED, UNCOVERED, { 'x-svc-proof': 'a.b.c' }]) {
      expect(await check({ headers, body: { unread: 'too_slow' } })).to.equal(
        '408 content_digest_unverifiable',
      )
      expect(await check({ headers, body: { unread: 'no_room' } })).to.equal('503 verification_unavailable')
    }
  })

  it('refuses a body that is not the one whose hash an intent proof states, also if it was removed', async () => {
    const proofOf = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AA`
    const proof = proofOf({ bodyHash: digestOf('a'), resource: '/ü?>' })
    const mismatch = '403 content_digest_mismatch'
    for (const facts of [
      { headers: { 'x-svc-proof': proof } },
      { headers: { ...UNCOVERED, 'x-svc-proof': proof } },
      { metadata: { 'X-Svc-Proof': proof } },
      { headers: { ...COVERED, 'content-digest': digestOf('b'), 'x-svc-proof': proof } },
    ]) {
      for (const body of ['b', '']) expect(await check({ ...facts, body })).to.equal(mismatch)
    }
    expect(await check({ headers: { 'x-svc-proof': proof }, body: 'a' })).to.equal(digestOf('a'))
    // On a transport without a body there is nothing to compare.
    expect(await check({ metadata: { 'X-Svc-Proof': proof } })).to.equal(undefined)
    for (const other of [proofOf({}), proofOf(null), proofOf({ bodyHash: 7 }), 'a.*.c', 'a', '']) {
      expect(await check({ headers: { 'x-svc-proof': other }, body: 'a' }), other).to.equal(
        other === '' ? undefined : digestOf('a'),
      )
    }
  })

  it('does not take the digest that one signature covers as covered by another, or by an intent proof', async () => {
    const body = { unread: 'consumed' } as const
    const added = {
      signature: 'svc=:AA==:, x=:AA==:',
      'signature-input': 'svc=("@path"), x=("content-digest")',
    }
    expect(await check({ headers: added, body })).to.equal('unknown')
    expect(await check({ headers: { ...COVERED, 'x-svc-proof': 'a.b.c' }, body })).to.equal('unknown')
    const twice = { ...COVERED, 'signature-input': 'svc=("content-digest"), x=("content-digest")' }
    expect(await check({ headers: twice, body })).to.equal(undefined)
  })

  it('hands over no digest that it could not compare', async () => {
    const body = { unread: 'consumed' } as const
    expect(await covered(digestOf('a'), body)).to.equal(undefined)
    expect(await check({ headers: UNCOVERED, body })).to.equal('unknown')
    expect(await checkBody(readRequest({ headers: UNCOVERED, body }))).to.have.property('isConsumed', true)
  })
})
