import { PROTOCOLS, type Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { prefillPdlss } from '@svc/core/commerce/prefillPdlss.ts'
import { type Pdlss, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { PREFILL_ROWS, type Row, type Said } from './prefillRows.ts'

/** Merges as the specification words it. */
function twin(rows: readonly Said[]): Pdlss {
  const pdlss: Pdlss = {}
  const all = (member: 'jurisdictions' | 'categories' | 'counterparties') => [
    ...new Set(rows.flatMap((row) => row[member] ?? [])),
  ]
  let cap: number | undefined
  let currency: string | undefined
  for (const row of rows) {
    if (row.cap !== undefined && (cap === undefined || row.cap < cap)) cap = row.cap
    if (row.currency && (currency === undefined || currency === 'USD')) currency = row.currency
    if (row.subAgents) pdlss.selfInstantiation = { allowed: true }
  }
  // A cap is never without a currency.
  if (cap !== undefined) currency ??= 'USD'
  if (all('categories').length > 0) pdlss.purpose = { categories: all('categories') }
  if (cap !== undefined || currency) {
    pdlss.limits = {
      ...(currency ? { currency } : {}),
      ...(cap === undefined ? {} : { autonomousThreshold: cap, approvalThreshold: cap }),
    }
  }
  const jurisdictions = all('jurisdictions')
  const counterparties = all('counterparties')
  if (jurisdictions.length + counterparties.length > 0) {
    pdlss.scope = {
      ...(jurisdictions.length > 0 ? { jurisdictions } : {}),
      ...(counterparties.length > 0 ? { counterparties } : {}),
    }
  }
  return pdlss
}

const declaredBy = (rows: readonly Row[]) => rows.map(({ protocol, block }) => [protocol, block] as const)
/** The fullest row of a protocol. */
const rowOf = (protocol: Protocol) => PREFILL_ROWS.find((row) => row.protocol === protocol) as Row

describe('prefillPdlss', () => {
  for (const row of PREFILL_ROWS) {
    it(`takes ${row.says} from ${row.protocol}`, () => {
      expect(prefillPdlss({}, declaredBy([row]))).to.deep.equal(twin([row.said]))
    })
  }

  PROTOCOLS.forEach((first, index) => {
    for (const second of PROTOCOLS.slice(index + 1)) {
      it(`merges ${first} and ${second}, in either order`, () => {
        for (const pair of [
          [rowOf(first), rowOf(second)],
          [rowOf(second), rowOf(first)],
        ]) {
          expect(prefillPdlss({}, declaredBy(pair))).to.deep.equal(twin(pair.map(({ said }) => said)))
        }
      })
    }
  })

  it('merges any of the rows as the twin does', () => {
    fc.assert(
      fc.property(
        fc.subarray(PREFILL_ROWS).chain((rows) => fc.shuffledSubarray(rows)),
        (rows) => {
          expect(prefillPdlss({}, declaredBy(rows))).to.deep.equal(twin(rows.map(({ said }) => said)))
        },
      ),
    )
  })

  it('states a currency with every cap that it fills in, and none where the owner wrote both limits', () => {
    const block = { agentDid: 'did:key:z6Mk', policyClaims: { maxTransactionValue: 70 } }
    const declared = [['ap2', block]] as const
    expect(prefillPdlss({}, declared).limits).to.include({ currency: 'USD', approvalThreshold: 70 })
    expect(prefillPdlss({ limits: { autonomousThreshold: 5 } }, declared).limits).to.include({
      currency: 'USD',
    })
    expect(prefillPdlss({ limits: { currency: 'CHF' } }, declared).limits).to.include({ currency: 'CHF' })
    const both = { autonomousThreshold: 5, approvalThreshold: 9 }
    expect(prefillPdlss({ limits: both }, declared).limits).to.deep.equal(both)
  })

  it('keeps every field that was set, and returns a valid boundary', () => {
    const amount = fc.integer({ min: 0, max: 100 })
    const thresholds = fc
      .tuple(amount, amount, amount)
      .map((values) => values.sort((a, b) => a - b))
      .map(([autonomousThreshold, stepUpThreshold, approvalThreshold]) => ({
        ...{ autonomousThreshold, stepUpThreshold, approvalThreshold },
        currency: 'CHF',
      }))
      .chain((all) =>
        fc.subarray(Object.entries(all)).map((fields) => Object.fromEntries(fields) as Pdlss['limits']),
      )
    const written = fc.record(
      {
        limits: thresholds,
        purpose: fc.constantFrom({}, { categories: [] }, { categories: ['shopping'] }),
        scope: fc.constantFrom(
          { counterparties: [] },
          { jurisdictions: ['CH'] },
          { counterparties: ['own.io'] },
        ),
        selfInstantiation: fc.constantFrom({ allowed: false }, { maxDepth: 1 }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Pdlss>
    fc.assert(
      fc.property(written, fc.shuffledSubarray(PREFILL_ROWS), (explicit, rows) => {
        const filled = prefillPdlss(explicit, declaredBy(rows))
        for (const [dimension, fields] of Object.entries(explicit)) {
          expect(filled[dimension as keyof Pdlss]).to.deep.include(fields)
        }
        expect(parsePdlss(filled, 'agent')).to.deep.include({ ok: true })
      }),
    )
  })
})
