import { counterpartyOf } from '../pdlss/counterparty.ts'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { url, texts, money, currency, merchantId, block } = declarationParts

const declaration = block({
  merchantId: merchantId.describe('Account of the merchant.'),
  facilitatorUrl: url.optional().describe('Who settles payments.'),
  paymentMethods: texts.optional().describe('How payments are made.'),
  currency: currency.optional().describe('Currency of the limit.'),
  spendingLimit: money.optional().describe('The most that one payment may cost.'),
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
