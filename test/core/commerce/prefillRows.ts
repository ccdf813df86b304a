import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'

type Block = Record<string, unknown>

/** The expected result of a row, written by hand from the specification's table. */
export type Said = {
  cap?: number
  currency?: string
  jurisdictions?: string[]
  categories?: string[]
  counterparties?: string[]
  subAgents?: true
}
/** A declaration, and what it says about the boundary. */
export type Row = { says: string; protocol: Protocol; block: Block; said: Said }

const KEY = { publicKey: 'k' }
const AP2 = { agentDid: 'did:key:z6Mk' }
const UCP = { manifestUrl: 'https://Ucp.io/.well-known/ucp' }
const HOSTS = ['shop.io', '*.mall.io']

/** Declarations of every protocol, the fullest of each first. */
export const PREFILL_ROWS: Row[] = [
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
