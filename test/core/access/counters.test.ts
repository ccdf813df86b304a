import { determineCounterNeeds } from '@svc/core/access/counters.ts'
import { parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'

const NOW = Date.UTC(2026, 6, 15, 12)
const HOURLY: Pdlss = { limits: { maxTransactionsPerHour: 5 } }
const CAPPED: Pdlss = { limits: { maxCumulativeSpend: 100, cumulativePeriod: 'month' } }
const BROOD: Pdlss = { selfInstantiation: { allowed: true, maxSubAgents: 3 } }
const ALL: Pdlss = { limits: { ...HOURLY.limits, ...CAPPED.limits }, ...BROOD }

const NONE = {
  agentGrantsLastHour: false,
  endpointGrantsLastHour: false,
  cumulativeSpend: undefined,
  agentSubAgents: false,
  endpointSubAgents: false,
}
const THIS_MONTH = { period: 'month' as const, since: Date.UTC(2026, 6, 1), currency: 'USD', scope: 'agent' }

function needsOf(agent: Pdlss, endpoint: Pdlss, request: object) {
  const parsed = parseVerificationRequest({ counterpartyId: 'SVCE-e', ...request })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return determineCounterNeeds(
    compilePolicy(agent, 'agent'),
    compilePolicy(endpoint, 'endpoint'),
    parsed.request,
    NOW,
  )
}

describe('the counters a decision needs', () => {
  const spend = { transactionValue: 0, currency: 'USD' }
  const creation = { subAgent: {} }

  it('are none for a request that spends nothing and creates no sub-agent, whatever the boundaries', () => {
    expect(needsOf(ALL, ALL, {})).to.deep.equal(NONE)
  })

  it('are none where no boundary has a limit to count', () => {
    expect(needsOf({}, {}, { ...spend, ...creation })).to.deep.equal(NONE)
  })

  it('of spend belong to the side that has the rule', () => {
    expect(needsOf(HOURLY, {}, spend)).to.deep.equal({ ...NONE, agentGrantsLastHour: true })
    expect(needsOf({}, HOURLY, spend)).to.deep.equal({ ...NONE, endpointGrantsLastHour: true })
    expect(needsOf({}, CAPPED, spend)).to.deep.equal({ ...NONE, cumulativeSpend: THIS_MONTH })
    expect(needsOf(ALL, ALL, spend)).to.deep.equal({
      ...NONE,
      agentGrantsLastHour: true,
      endpointGrantsLastHour: true,
      cumulativeSpend: THIS_MONTH,
    })
  })

  it('of spend without a currency are those of the endpoint’s currency, otherwise of the agent’s', () => {
    const currencyOf = (own: string | undefined, theirs: string | undefined, currency?: string) => {
      const capped = { limits: { ...CAPPED.limits, currency: theirs } }
      const request = { transactionValue: 1, ...(currency === undefined ? {} : { currency }) }
      return needsOf({ limits: { currency: own } }, capped, request).cumulativeSpend?.currency
    }
    expect(currencyOf('USD', undefined)).to.equal('USD')
    expect(currencyOf('USD', undefined, 'usd')).to.equal('USD')
    expect(currencyOf('USD', 'EUR')).to.equal(undefined)
    expect(currencyOf(undefined, 'EUR', 'EUR')).to.equal(undefined)
    expect(currencyOf(undefined, undefined, 'EUR')).to.equal('EUR')
    expect(currencyOf(undefined, undefined)).to.equal(undefined)
  })

  it('of a new sub-agent belong to the side that has the rule', () => {
    expect(needsOf(BROOD, {}, creation)).to.deep.equal({ ...NONE, agentSubAgents: true })
    expect(needsOf({}, BROOD, creation)).to.deep.equal({ ...NONE, endpointSubAgents: true })
    expect(needsOf(ALL, ALL, creation)).to.deep.equal({
      ...NONE,
      agentSubAgents: true,
      endpointSubAgents: true,
    })
  })

  it('of spend name a currency only if it is not the one of the boundary', () => {
    const inEuro = { limits: { maxCumulativeSpend: 10, currency: 'EUR' } }
    const currencyOf = (currency?: string) =>
      needsOf({}, inEuro, { transactionValue: 1, ...(currency ? { currency } : {}) }).cumulativeSpend
        ?.currency
    expect([currencyOf('EUR'), currencyOf('USD'), currencyOf()]).to.deep.equal([undefined, 'USD', undefined])
  })
})
