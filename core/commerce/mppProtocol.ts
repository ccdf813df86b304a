import { counterpartyOf } from '../pdlss/counterparty.ts'
import { currencyOf } from './currencyOf.ts'
import { declarationParts } from './declarationParts.ts'
import { defineProtocol } from './defineProtocol.ts'

const { url, texts, money, token, merchantId, block } = declarationParts

const declaration = block({
  merchantId: merchantId.describe('Account identifier of the merchant.'),
  facilitatorUrl: url.optional().describe('URL of the facilitator that settles payments.'),
  paymentMethods: texts.optional().describe('Accepted payment methods.'),
  currency: token
    .optional()
    .describe('Currency of the spending limit: ISO code, or symbol or address of a token.'),
  spendingLimit: money
    .optional()
    .describe('Maximum amount of one payment, in whole units of the currency (19.99, not 1999).'),
})

/** Machine Payments Protocol. Source: Spec: Commerce protocol declarations; MPP. */
export const mppProtocol = defineProtocol({
  declaration,
  confidential: ['currency', 'spendingLimit'],
  prefillLimits: ({ currency, spendingLimit }) => ({
    spendMax: spendingLimit,
    currency: currency && currencyOf(currency),
  }),
  prefillLists: ({ merchantId, facilitatorUrl }) => ({
    counterparties: [facilitatorUrl && counterpartyOf(facilitatorUrl), `merchant:${merchantId}`],
  }),
})
