import type { Approval } from '@svc/core/contract/approvals.ts'
import { revealText } from '../../parts/code/revealText.ts'
import { formatAmount, shortenIdentifier } from '../../parts/words/words.ts'

type Summary = { agent: string; counterparty: string; purpose: string | null; amount: string | null }

/** Summarises a request for its owner: who wants what, from whom, for how much. */
export function summariseApproval({ agentId, agentName, request }: Approval): Summary {
  const { category, action, transactionValue, currency } = request
  return {
    agent: revealText(agentName ?? shortenIdentifier(agentId)),
    counterparty: nameCounterparty(request),
    purpose: [category, action].filter(Boolean).join(': ') || null,
    amount: transactionValue === undefined ? null : formatAmount(transactionValue, currency),
  }
}

/** The name that a counterparty gave itself, and the host, which it cannot choose. */
function nameCounterparty({ endpointName, counterpartyUrl, endpointId }: Approval['request']): string {
  const host = counterpartyUrl ? new URL(counterpartyUrl).host : null
  const names = [...new Set([endpointName ?? null, host])].filter((name) => name !== null)
  return names.length > 0 ? names.map(revealText).join(' · ') : (endpointId ?? 'an unregistered endpoint')
}
