import { PROTOCOLS, type Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { prefillPdlss } from '@svc/core/commerce/prefillPdlss.ts'
import { type Pdlss, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { expect } from 'chai'
import fc from 'fast-check'

type Block = Record<string, unknown>

/** The expected result of a row, written by hand from the specification's table. */
type Said = {
  cap?: number
  currency?: string
  jurisdictions?: string[]
  categories?: string[]
  counterparties?: string[]
  subAgents?: true
}
type Row = { says: string; protocol: Protocol; block: Block; said: Said }

const KEY = { publicKey: 'k' }
const AP2 = { agentDid: 'did:key:z6Mk' }
const UCP = { manifestUrl: 'https://Ucp.io/.well-known/ucp' }
const HOSTS = ['shop.io', '*.mall.io']

const ROWS: Row[] = [
  { says: 'nothing', protocol: 'a2a', block: { agentUrl: 'https://a.io', skills: [{}] }, said: {} },
  {
    says: 'purpose, checkout domain and merchant',
    protocol: 'acp',
    block: { merchantId: 'm1', checkoutEndpoint: 'https://pay.acp.io:8443/checkout' },
    said: { categories: ['financial_transaction'], counterparties: ['pay.acp.io', 'merchant:m1'] },
  },
  {
    says: 'value, regions, first currency and delegation',
    protocol: 'ap2',
    block: {
      ...AP2,
      policyClaims: {
        maxTransactionValue: 70,
        allowedCurrencies: ['EUR', 'GBP'],
        allowedRegions: ['DE', 'FR'],
      },
      delegationEnabled: true,
    },
    said: { cap: 70, currency: 'EUR', jurisdictions: ['DE', 'FR'], subAgents: true },
  },
  {
    says: 'nothing about disabled delegation',
    protocol: 'ap2',
    block: { ...AP2, delegationEnabled: false },
    said: {},
  },
  {
    says: 'both purposes and the manifest domain',
    protocol: 'ucp',
    block: { ...UCP, capabilities: ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.fulfillment'] },
    said: { categories: ['financial_transaction', 'execute_action'], counterparties: ['ucp.io'] },
  },
  {
    says: 'the purpose of a payment capability',
    protocol: 'ucp',
    block: { ...UCP, capabilities: ['dev.ucp.payment'] },
    said: { categories: ['financial_transaction'], counterparties: ['ucp.io'] },
  },
  {
    says: 'no purpose from another capability',
    protocol: 'ucp',
    block: { ...UCP, capabilities: ['dev.ucp.shopping.catalog'] },
    said: { counterparties: ['ucp.io'] },
  },
  {
    says: 'limit, facilitator domain, merchant and currency',
    protocol: 'mpp',
    block: { merchantId: 'm2', facilitatorUrl: 'https://mpp.io/f', currency: 'usd', spendingLimit: 60 },
    said: { cap: 60, currency: 'USD', counterparties: ['mpp.io', 'merchant:m2'] },
  },
  {
    says: 'limit, facilitator domain and USDC',
    protocol: 'x402',
    block: {
      walletAddress: '0x01',
      supportedTokens: ['EURC', 'USDC'],
      facilitatorUrl: 'https://x402.io',
      spendingLimit: 50,
    },
    said: { cap: 50, currency: 'USDC', counterparties: ['x402.io'] },
  },
  {
    says: 'USDC as the default',
    protocol: 'x402',
    block: { walletAddress: '0x01' },
    said: { currency: 'USDC' },
  },
  {
    says: 'no currency from tokens other than USDC',
    protocol: 'x402',
    block: { walletAddress: '0x01', supportedTokens: ['EURC'] },
    said: {},
  },
  ...(['Immediate', 'Autonomous', 'Both'] as const).map(
    (executionMode): Row => ({
      says: `amount, merchants and currency, ${executionMode}`,
      protocol: 'vi',
      block: {
        ...KEY,
        executionMode,
        defaultConstraints: {
          paymentAmount: { currency: 'GBP', max: 6_500 },
          allowedMerchants: ['vi.io', 'https://vi2.io/shop', 'acme'],
        },
      },
      said: {
        cap: 65,
        currency: 'GBP',
        counterparties: ['vi.io', 'vi2.io', 'merchant:acme'],
        ...(executionMode === 'Immediate' ? {} : { subAgents: true }),
      },
    }),
  ),
  {
    says: 'an amount in yen, and merchants with a website, an identifier or a name only',
    protocol: 'vi',
    block: {
      ...KEY,
      executionMode: 'Immediate',
      defaultConstraints: {
        paymentAmount: { currency: 'jpy', max: 6_500 },
        allowedMerchants: [
          { name: 'Shop', website: 'https://Shop.io/x' },
          { id: 'm-1', name: 'Mall', website: 'mall.io' },
          { id: 'm-2', name: 'Ace' },
          { name: 'Tennis Shop' },
          'Corner Shop',
        ],
      },
    },
    said: {
      cap: 6_500,
      currency: 'JPY',
      counterparties: [
        'shop.io',
        'mall.io',
        'merchant:m-2',
        'merchant:Tennis%20Shop',
        'merchant:Corner%20Shop',
      ],
    },
  },
  {
    says: 'cents of USD if no currency is stated',
    protocol: 'vi',
    block: { ...KEY, executionMode: 'Immediate', defaultConstraints: { paymentAmount: { max: 1_999 } } },
    said: { cap: 19.99 },
  },
  ...(
    [
      ['USDC.e', 'USDC'],
      ['pathUSD', 'PATHUSD'],
      ['0x20C000000000000000000000b9537d11c60E8b50', 'USDC'],
      ['0x20c0000000000000000000000000000000000000', 'USD'],
      [`0x${'12'.repeat(20)}`, undefined],
    ] as const
  ).map(
    ([written, currency]): Row => ({
      says: `the currency written as ${written}`,
      protocol: 'mpp',
      block: { merchantId: 'm3', currency: written, spendingLimit: 55 },
      said: { cap: 55, counterparties: ['merchant:m3'], ...(currency && { currency }) },
    }),
  ),
  {
    says: 'the first token of a limit without USDC',
    protocol: 'x402',
    block: { walletAddress: '0x01', supportedTokens: ['EURC', 'USDT'], spendingLimit: 45 },
    said: { cap: 45, currency: 'EURC' },
  },
  {
    says: 'USDC listed by its address or as bridged',
    protocol: 'x402',
    block: { walletAddress: '0x01', supportedTokens: ['EURC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'] },
    said: { currency: 'USDC' },
  },
  {
    says: 'purpose and merchant domains',
    protocol: 'agentpay',
    block: { ...KEY, mastercardAgentId: 'a', allowedMerchantDomains: HOSTS },
    said: { categories: ['financial_transaction'], counterparties: HOSTS },
  },
  {
    says: 'merchant domains',
    protocol: 'tap',
    block: { ...KEY, visaAgentId: 'v', allowedMerchantDomains: [...HOSTS, 'tap.io'] },
    said: { counterparties: [...HOSTS, 'tap.io'] },
  },
]

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
const rowOf = (protocol: Protocol) => ROWS.find((row) => row.protocol === protocol) as Row

describe('prefillPdlss', () => {
  for (const row of ROWS) {
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
        fc.subarray(ROWS).chain((rows) => fc.shuffledSubarray(rows)),
        (rows) => {
          expect(prefillPdlss({}, declaredBy(rows))).to.deep.equal(twin(rows.map(({ said }) => said)))
        },
      ),
    )
  })

  it('states a currency with every cap that it fills in, and none where the owner wrote both limits', () => {
    const declared = [['ap2', { ...AP2, policyClaims: { maxTransactionValue: 70 } }]] as const
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
      fc.property(written, fc.shuffledSubarray(ROWS), (explicit, rows) => {
        const filled = prefillPdlss(explicit, declaredBy(rows))
        for (const [dimension, fields] of Object.entries(explicit)) {
          expect(filled[dimension as keyof Pdlss]).to.deep.include(fields)
        }
        expect(parsePdlss(filled, 'agent')).to.deep.include({ ok: true })
      }),
    )
  })
})
