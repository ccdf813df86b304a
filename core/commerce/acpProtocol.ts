import { counterpartyOf } from '../pdlss/counterparty.ts'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { url, merchantId, names, block } = declarationParts

const declaration = block({
  merchantId: merchantId.describe('Account of the merchant.'),
  checkoutEndpoint: url.describe('Where purchases are made.'),
  productFeedUrl: url.optional().describe('Where the products are listed.'),
  webhookUrl: url.optional().describe('Where the merchant is told of orders.'),
  supportedPaymentMethods: names(['card', 'apple_pay']).optional().describe('How purchases are paid.'),
  fulfillmentOptions: names(['shipping', 'digital_delivery']).optional().describe('How goods are delivered.'),
})

/** Agentic Commerce Protocol. Source: Spec: Commerce protocol declarations; ACP 2026-04-17. */
export const acpProtocol = {
  declaration,
  prefill: (block) => ({
    categories: ['financial_transaction'],
    counterparties: [counterpartyOf(block.checkoutEndpoint), `merchant:${block.merchantId}`],
  }),
} satisfies CommerceProtocol<typeof declaration>
