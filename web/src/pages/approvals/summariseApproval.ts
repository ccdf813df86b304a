import type { Approval } from '@svc/core/contract/approvals.ts'
import { revealText } from '../../parts/revealText.ts'
import { formatAmount, shortenIdentifier } from '../../parts/words.ts'

type Summary = { agent: string; counterparty: string; purpose: string | null; amount: string | null }

/** Summarises a request for its owner; names the counterparty by what the owner may see of it. */
export function summariseApproval({ agentId, agentName, request }: Approval): Summary {
  const { category, action, transactionValue, currency, counterpartyUrl, endpointId } = request
  return {
    agent: revealText(agentName ?? shortenIdentifier(agentId)),
    counterparty: counterpartyUrl ?? endpointId ?? 'an unregistered endpoint',
    purpose: [category, action].filter(Boolean).join(': ') || null,
    amount: transactionValue === undefined ? null : formatAmount(transactionValue, currency),
  }
}
