import { counterpartyOf } from '../pdlss/counterparty.ts'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { url, texts, money, currency, merchantId, block } = declarationParts

const declaration = block({
  merchantId: merchantId.describe('Account identifier of the merchant.'),
  facilitatorUrl: url.optional().describe('URL of the facilitator that settles payments.'),
  paymentMethods: texts.optional().describe('Accepted payment methods.'),
  currency: currency.optional().describe('Currency of the spending limit.'),
  spendingLimit: money.optional().describe('Maximum amount of one payment.'),
})

/** Machine Payments Protocol. Source: Spec: Commerce protocol declarations; MPP. */
export const mppProtocol = {
  declaration,
  prefill: ({ merchantId, facilitatorUrl, currency, spendingLimit }) => ({
    spendMax: spendingLimit,
    currency: currency?.toUpperCase(),
    counterparties: [facilitatorUrl && counterpartyOf(facilitatorUrl), `merchant:${merchantId}`],
  }),
} satisfies CommerceProtocol<typeof declaration>
