import type { Approval } from '../../api/types.ts'
import { visibleText } from '../../parts/visibleText.ts'
import { formatAmount, shortenIdentifier } from '../../parts/words.ts'

type Summary = { agent: string; counterparty: string; purpose: string | null; amount: string | null }

/** A held request in the words of its owner; the counterparty by whatever of it may be seen. */
export function approvalSummary({ agentId, agentName, request }: Approval): Summary {
  const { category, action, transactionValue, currency, counterpartyUrl, endpointId } = request
  return {
    agent: visibleText(agentName ?? shortenIdentifier(agentId)),
    counterparty: counterpartyUrl ?? endpointId ?? 'an endpoint that is not registered',
    purpose: [category, action].filter(Boolean).join(': ') || null,
    amount: transactionValue === undefined ? null : formatAmount(transactionValue, currency),
  }
}
