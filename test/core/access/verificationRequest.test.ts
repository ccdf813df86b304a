import { isPlainVerificationBody } from '@svc/core/access/isPlainVerificationBody.ts'
import { isSigned, parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { requestFieldsSchema } from '@svc/core/access/verificationRequestSchema.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { anyText } from '../../harness/values/anyText.ts'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, '', 0, -1, true, [], {}, [null], Number.NaN, Infinity, 1e16, 1.5, -0),
  fc.constantFrom('a\u0000b', '\u007f', 'x'.repeat(65), 'x'.repeat(201), 'x'.repeat(2049), 'x'.repeat(8193)),
  anyText({ maxLength: 5 }),
)
const orOdd = (good: fc.Arbitrary<unknown>) =>
  fc.option(fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: odd }), { nil: undefined })
const texts = fc.constantFrom('shopping', 'read_data:list', 'a.b.c', 'ü', 'x y')
const metadata = fc.record({
  sourceIp: orOdd(fc.constantFrom('::1', '')),
  userAgent: orOdd(texts),
  signature: orOdd(texts),
  signatureInput: orOdd(texts),
  signatureAgent: orOdd(texts),
  method: orOdd(texts),
  targetUri: orOdd(texts),
  contentDigest: orOdd(texts),
  other: orOdd(texts),
  'x-payment': orOdd(texts),
})
const body = fc.record({
  agentId: orOdd(fc.constant('SVC-a')),
  counterpartyId: orOdd(fc.constant('SVCE-a')),
  counterpartyUrl: orOdd(fc.constant('https://shop.example')),
  counterpartyType: orOdd(fc.constant('api')),
  purpose: orOdd(texts),
  action: orOdd(texts),
  resource: orOdd(fc.constantFrom('/a', 'a\u0000', '/../%2e')),
  resourceType: orOdd(texts),
  jurisdiction: orOdd(fc.constantFrom('US', 'eu')),
  transactionValue: orOdd(fc.constantFrom(0, 1, 0.1, 1e15)),
  currency: orOdd(fc.constantFrom('USD', 'usdc', 'U', 'ABCDEFGHIJK', 'U1D')),
  sessionDuration: orOdd(fc.constantFrom(1, 31_536_000, 31_536_001)),
  certifications: orOdd(fc.array(fc.oneof({ weight: 9, arbitrary: texts }, { weight: 1, arbitrary: odd }))),
  subAgent: orOdd(fc.record({ purpose: orOdd(texts), depth: orOdd(fc.constantFrom(1, 1000, 1001)) })),
  createSession: orOdd(fc.boolean()),
  enableRuntimeChallenge: orOdd(fc.boolean()),
  includeTokenGuidance: orOdd(fc.boolean()),
  dryRun: orOdd(fc.boolean()),
  attemptId: orOdd(fc.oneof(fc.uuid(), fc.constant('00000000-0000-0000-0000-000000000000'))),
  callHash: orOdd(fc.constantFrom('0'.repeat(64), 'A'.repeat(64), '0'.repeat(63))),
  callerMetadata: orOdd(metadata),
  intentProof: orOdd(texts),
  agentToken: orOdd(texts),
  mandate: orOdd(
    fc.record({
      protocol: orOdd(fc.constantFrom('x402', 'tap', 'cheque')),
      value: orOdd(texts),
      payee: orOdd(texts),
    }),
  ),
  unknownField: odd,
})

const parsed = (input: unknown) => {
  const result = parseVerificationRequest(input)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.request
}
const errorsOf = (input: unknown) => {
  const result = parseVerificationRequest(input)
  return result.ok ? [] : result.errors.map(({ pointer, code }) => `${pointer} ${code}`)
}

describe('a verification request', () => {
  it('passes the quick check exactly if the schema accepts it', () => {
    fc.assert(
      fc.property(fc.oneof(body, odd), (input) => {
        const schema = requestFieldsSchema.safeParse(input)
        const issues = schema.success ? [] : schema.error.issues
        // The parser compares the purpose with the action itself; a mandate's own rule is part of the quick check.
        const isWellFormed = issues.every(({ code, path }) => code === 'custom' && path.join() === 'action')
        expect(isPlainVerificationBody(input)).to.equal(isWellFormed)
      }),
      { numRuns: scaleCaseCount(20_000) },
    )
  })

  it('parses to the same with and without the quick check', () => {
    fc.assert(
      fc.property(body, (input) => {
        const quick = parseVerificationRequest(input)
        const slow = parseVerificationRequest({ ...input, credentials: [] })
        expect(slow.ok).to.equal(quick.ok)
        if (!quick.ok || !slow.ok) return
        expect({ ...slow.request, credentials: undefined }).to.deep.equal(quick.request)
      }),
      { numRuns: scaleCaseCount(5_000) },
    )
  })

  it('is normalised: names to lower case, codes to upper case, category and action split', () => {
    const request = parsed({
      counterpartyId: 'SVCE-a',
      purpose: 'Shopping:Checkout',
      jurisdiction: 'us-ca',
      transactionValue: 5,
      currency: 'usd',
      subAgent: { purpose: 'Research' },
      resource: '/a%20b',
    })
    expect(request).to.include({
      purpose: 'Shopping:Checkout',
      category: 'shopping',
      action: 'checkout',
      qualifiedAction: 'shopping.checkout',
      jurisdiction: 'US-CA',
      currency: 'USD',
      resource: '/a%20b',
      plainResource: '/a b',
      createSession: true,
      includeTokenGuidance: false,
      dryRun: false,
      enableRuntimeChallenge: undefined,
    })
    expect(request.subAgent).to.deep.equal({ purpose: 'research', depth: 1 })
  })

  it('ignores unknown fields, also in callerMetadata', () => {
    const request = parsed({
      counterpartyId: 'SVCE-a',
      colour: 'red',
      callerMetadata: { sourceIp: '::1', colour: 'red' },
    })
    expect(request).not.to.have.property('colour')
    expect(request.callerMetadata).not.to.have.property('colour')
  })

  it('contains the headers that a signature may cover, if the request is signed', () => {
    const covered = { 'x-svc-id': 'SVC-a', 'content-type': 'text/plain', odd: 7, long: 'x'.repeat(8_193) }
    const metadata = { userAgent: 'curl', signature: 's', contentDigest: 'd', ...covered }
    const { callerMetadata } = parsed({ counterpartyId: 'SVCE-a', callerMetadata: metadata })
    expect(callerMetadata?.headers).to.deep.equal({ 'x-svc-id': 'SVC-a', 'content-type': 'text/plain' })
    expect(callerMetadata).to.include({ userAgent: 'curl', contentDigest: 'd' })
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`x-${index}`, 'v']))
    const crowded = parsed({ counterpartyId: 'SVCE-a', callerMetadata: { signature: 's', ...many } })
    expect(Object.keys(crowded.callerMetadata?.headers ?? {})).to.have.length(64)
  })

  it('is signed if either header of a signature is reported', () => {
    const isReported = (callerMetadata: object) =>
      isSigned(parsed({ counterpartyId: 'SVCE-a', callerMetadata }).callerMetadata)
    for (const half of [{ signature: 's' }, { signatureInput: 's=();created=1' }]) {
      expect(isReported(half)).to.equal(true)
    }
    expect(isReported({ userAgent: 'curl', contentDigest: 'd' })).to.equal(false)
  })

  it('presents the mandate in its body, otherwise one in the headers that it reports', () => {
    const of = (fields: object) => parsed({ counterpartyId: 'SVCE-a', ...fields }).mandate
    const mandate = { protocol: 'ap2', value: 'a~', payee: 'shop' }
    const callerMetadata = { 'payment-signature': 'e30=', 'x-payment': 'old' }
    expect(of({ mandate, callerMetadata })).to.deep.equal({ ...mandate, isFromHeader: false })
    const found = { protocol: 'x402', value: 'e30=', payee: undefined, isFromHeader: true }
    expect(of({ callerMetadata })).to.deep.equal(found)
    expect(of({ callerMetadata: { 'x-payment': 'old' } })).to.deep.equal({ ...found, value: 'old' })
    const signed = { signature: 's', signatureInput: 'sig2=();tag="agent-payer-auth"' }
    expect(of({ callerMetadata: signed })).to.include({ protocol: 'tap', value: undefined })
    for (const other of [
      { 'x-payment': 7 },
      { 'x-payment': '' },
      { 'x-payment': 'x'.repeat(8_193) },
      { signatureInput: signed.signatureInput },
      { signature: 's', signatureInput: 'sig2=();tag="agent-browser-auth"' },
    ])
      expect(of({ callerMetadata: other })).to.equal(undefined)
  })

  it('has every invalid field reported', () => {
    expect(
      errorsOf({
        counterpartyId: 7,
        purpose: '',
        transactionValue: -1,
        sessionDuration: 1.5,
        currency: '$',
        certifications: ['a', 3],
        callerMetadata: { sourceIp: 1 },
        subAgent: { depth: 0 },
        attemptId: 'x',
        credentials: [{ type: 'pgp', value: '' }],
      }),
    ).to.deep.equal([
      '/counterpartyId invalid_type',
      '/purpose too_small',
      '/transactionValue too_small',
      '/currency invalid_format',
      '/sessionDuration invalid_type',
      '/certifications/1 invalid_type',
      '/subAgent/depth too_small',
      '/attemptId invalid_format',
      '/callerMetadata/sourceIp invalid_type',
      '/credentials/0/type invalid_value',
      '/credentials/0/value too_small',
    ])
  })

  it('must name a counterparty', () => {
    expect(errorsOf({})).to.deep.equal([' required'])
    expect(parsed({ counterpartyUrl: 'https://shop.example' }).counterpartyId).to.equal(undefined)
  })

  it('may not name two categories', () => {
    const two = { counterpartyId: 'SVCE-a', purpose: 'shopping:buy', action: 'gaming.play' }
    expect(errorsOf(two)).to.deep.equal(['/action contradictory'])
  })

  it('never has a long value repeated in its errors', () => {
    const result = parseVerificationRequest({
      counterpartyId: 'x'.repeat(10_000),
      [`${'k'.repeat(9000)}`]: 1,
    })
    expect(JSON.stringify(result)).to.have.length.below(300)
  })

  it('has no name outside the alphabet of policies, which would slip past a denied name', () => {
    const denied = 'shopping.delete'
    for (const name of [
      `${denied} `,
      'shopping..delete',
      'shopping:delete:x',
      'shopping.delete\u00a0',
      '.delete',
    ]) {
      for (const member of ['purpose', 'action', 'resourceType']) {
        const body = { counterpartyId: 'SVCE-a', [member]: name }
        expect(errorsOf(body), `${member} ${name}`).to.include(`/${member} invalid_format`)
      }
      const body = { counterpartyId: 'SVCE-a', subAgent: { purpose: name } }
      expect(errorsOf(body)).to.include('/subAgent/purpose invalid_format')
    }
    expect(parsed({ counterpartyId: 'SVCE-a', purpose: 'Shopping:Delete_all-2' })).to.include({
      action: 'delete_all-2',
    })
  })
})
