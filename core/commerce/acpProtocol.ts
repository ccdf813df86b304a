import { counterpartyOf } from '../pdlss/counterparty.ts'
import { declarationParts } from './declarationParts.ts'
import { defineProtocol } from './defineProtocol.ts'

const { url, merchantId, names, block } = declarationParts

const declaration = block({
  merchantId: merchantId.describe('Account identifier of the merchant.'),
  checkoutEndpoint: url.describe('URL for checkouts.'),
  productFeedUrl: url.optional().describe('URL of the product list.'),
  webhookUrl: url.optional().describe('URL that notifies the merchant of orders.'),
  supportedPaymentMethods: names(['card', 'apple_pay']).optional().describe('Accepted payment methods.'),
  fulfillmentOptions: names(['shipping', 'digital_delivery']).optional().describe('Delivery methods.'),
})

/** Agentic Commerce Protocol. Source: Spec: Commerce protocol declarations; ACP 2026-04-17. */
export const acpProtocol = defineProtocol({
  declaration,
  confidential: [],
  prefillLists: (block) => ({
    categories: ['financial_transaction'],
    counterparties: [counterpartyOf(block.checkoutEndpoint), `merchant:${block.merchantId}`],
  }),
})
