import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import { findContradictedFacts } from '@svc/core/signing/findContradictedFacts.ts'
import { INTENT_FACTS, type IntentClaims, type IntentFact } from '@svc/core/signing/intentClaims.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { arbitraryFacts, INTENT } from './arbitraryFacts.ts'

type Facts = Partial<IntentClaims>

/** The names of verify-access for the facts of an intent proof. */
const FIELDS: Readonly<Record<Exclude<IntentFact, 'bodyHash'>, string>> = {
  ...{ purpose: 'purpose', action: 'action', resource: 'resource', amount: 'transactionValue' },
  ...{ currency: 'currency', sessionDuration: 'sessionDuration', attemptId: 'attemptId' },
}

/** What a counterparty states to verify-access, and the digest of the body that it received. */
function contradicted(committed: Facts, stated: Facts, contentDigest = stated.bodyHash) {
  const fields = Object.entries(FIELDS).map(([fact, field]) => {
    const value = stated[fact as IntentFact]
    return [field, fact === 'amount' && value !== undefined ? Number(value) : value]
  })
  const parsed = parseRequestFields(Object.fromEntries(fields))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return findContradictedFacts({ ...INTENT, ...committed }, parsed.request, contentDigest)
}

const hashOf = (byte: number) => `sha-256=:${Buffer.alloc(32, byte).toString('base64')}:`

/** Two values of each fact that mean different things; no generated fact has the actions. */
const PAIRS: Readonly<Record<IntentFact, readonly [string | number, string | number]>> = {
  purpose: ['shopping:y', 'shopping:z'],
  action: ['y', 'z'],
  resource: ['/y', '/z'],
  amount: ['0.1234567', 0.1234568],
  currency: ['CHF', 'CHFX'],
  sessionDuration: [59, 60],
  attemptId: ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001'],
  bodyHash: [hashOf(1), hashOf(2)],
}

/** Arbitrary other facts beside the given one. An action would replace that of the purpose. */
const beside = (fact: IntentFact) =>
  arbitraryFacts.map((facts): Facts => {
    const { [fact]: _, action, ...others } = facts
    return fact === 'purpose' || fact === 'action' || action === undefined ? others : { ...others, action }
  })

describe('the facts of an intent proof', () => {
  it('are not contradicted by a counterparty that states the same', () => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        expect(contradicted(facts, facts)).to.deep.equal([])
      }),
      { numRuns: 500 },
    )
  })

  it('that the agent does not state may be anything', () => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        expect(contradicted({}, facts)).to.deep.equal([])
      }),
    )
  })

  for (const fact of INTENT_FACTS) {
    const [committed, other] = PAIRS[fact]

    it(`are contradicted by another ${fact}, and by no other fact`, () => {
      fc.assert(
        fc.property(beside(fact), (facts) => {
          expect(contradicted({ ...facts, [fact]: committed }, { ...facts, [fact]: other })).to.deep.equal([
            fact,
          ])
        }),
      )
    })

    it(`are contradicted by a counterparty that leaves out the ${fact}, unless it is the hash of the body`, () => {
      fc.assert(
        fc.property(beside(fact), (facts) => {
          const expected = fact === 'bodyHash' ? [] : [fact]
          expect(contradicted({ ...facts, [fact]: committed }, facts)).to.deep.equal(expected)
        }),
      )
    })
  }

  it('compare names without regard to case, spelling or place', () => {
    for (const [committed, stated] of [
      [{ purpose: 'shopping:buy' }, { purpose: 'Shopping.BUY' }],
      [{ purpose: 'shopping:buy' }, { purpose: 'shopping', action: 'buy' }],
      [{ purpose: 'shopping', action: 'buy' }, { purpose: 'shopping:buy' }],
      [{ action: 'shopping.buy' }, { purpose: 'shopping:buy' }],
      [{ purpose: 'shopping' }, { purpose: 'shopping:buy' }],
      [{ action: 'buy' }, { purpose: 'shopping:buy' }],
      [{ purpose: 'shopping:browse', action: 'buy' }, { purpose: 'shopping:buy' }],
    ] as const) {
      expect(contradicted(committed, stated), JSON.stringify(committed)).to.deep.equal([])
    }
  })

  it('name the fact by which the agent stated what is contradicted', () => {
    for (const [committed, stated, named] of [
      [{ purpose: 'shopping:buy' }, { purpose: 'shopping' }, ['purpose']],
      [{ purpose: 'shopping:buy' }, { purpose: 'travel:buy' }, ['purpose']],
      [{ purpose: 'shopping', action: 'buy' }, { purpose: 'shopping:refund' }, ['action']],
      [{ purpose: 'shopping', action: 'buy' }, { purpose: 'travel:refund' }, ['purpose', 'action']],
      [{ action: 'shopping.buy' }, { purpose: 'travel:buy' }, ['action']],
    ] as const) {
      expect(contradicted(committed, stated), JSON.stringify(committed)).to.deep.equal(named)
    }
  })

  it('are contradicted by every request if they name two categories', () => {
    const two = { purpose: 'shopping:buy', action: 'travel.book' }
    for (const stated of [{}, { purpose: 'shopping:buy' }, { purpose: 'travel:book' }]) {
      expect(contradicted(two, stated)).to.deep.equal(['purpose', 'action'])
    }
  })

  it('compare amounts as decimals', () => {
    for (const [committed, stated] of [
      ['19.90', 19.9],
      [0.1, 0.1],
      ['0.10', 0.1],
      [1e-7, 1e-7],
      ['0.0000001', 1e-7],
      ['1000000000000000', 1e15],
    ] as const) {
      expect(contradicted({ amount: committed }, { amount: stated })).to.deep.equal([])
    }
    expect(contradicted({ amount: '0.10000000000000000001' }, { amount: 0.1 })).to.deep.equal(['amount'])
  })

  it('compare resources as the policies do: decoded, unless that is ambiguous', () => {
    expect(contradicted({ resource: '/caf%C3%A9' }, { resource: '/café' })).to.deep.equal([])
    expect(contradicted({ resource: '/a/%2e%2e/b' }, { resource: '/a/../b' })).to.deep.equal(['resource'])
    expect(contradicted({ resource: '/Orders' }, { resource: '/orders' })).to.deep.equal(['resource'])
  })

  it('compare the hash of the body with a digest among others', () => {
    const bodyHash = hashOf(1)
    expect(contradicted({ bodyHash }, {}, `sha-512=:AAAA:, ${bodyHash}`)).to.deep.equal([])
    for (const digest of ['', 'unknown', 'sha-512=:AAAA:', `${bodyHash}, ${bodyHash}`]) {
      expect(contradicted({ bodyHash }, {}, digest), digest).to.deep.equal(['bodyHash'])
    }
  })
})
