import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { eventNames } from '../../parts/words/eventWords.ts'
import type { CheckedRecord } from '../activity/checkRecord.ts'
import type { AnchorReading } from './readAnchor.ts'

/** Where the word of the chain comes from: only from the service, or from a node that the browser asks itself. */
export type ChainWord =
  | { from: 'service' }
  | { from: 'node'; host: string; state: 'asking' | 'unreachable' }
  | { from: 'node'; host: string; state: 'answered'; reading: AnchorReading }

/** `reported` is proven as far as the service says the truth about the chain. */
export type Verdict = 'asking' | 'proven' | 'reported' | 'contradicted' | 'failed'

/** A verdict in words. */
export type ProofWords = {
  verdict: Verdict
  title: string
  about: string
  proven: string[]
  unproven: string[]
}

/** Says in words what a checked proof proves, and what it does not. Source: docs/auditing.md. */
export function describeProof(checked: CheckedRecord, chain: ChainWord): ProofWords {
  const verdict = judge(checked, chain)
  const isProven = verdict === 'proven' || verdict === 'reported' || verdict === 'asking'
  return {
    verdict,
    ...HEADLINES[verdict],
    ...(verdict === 'contradicted' && { about: contradictionOf(chain) }),
    proven: isProven ? listProven(checked, chain) : [],
    unproven: isProven ? listUnproven(chain) : [],
  }
}

const HEADLINES: Readonly<Record<Verdict, { title: string; about: string }>> = {
  asking: {
    title: 'The proof holds; asking the chain',
    about: 'Your browser recomputed it, and now asks a node of the chain whether its root was anchored.',
  },
  proven: {
    title: 'Proven: the chain confirms this record',
    about: 'Your browser recomputed the proof and read the anchored root from the chain itself.',
  },
  reported: {
    title: 'The proof holds; the anchored root was reported by this service',
    about: 'Your browser recomputed the proof. Only this service says that its root is on the chain.',
  },
  contradicted: { title: 'The chain contradicts this proof', about: '' },
  failed: {
    title: 'This proof does not hold',
    about: 'What this service sent is altered or does not fit together. Do not rely on this record.',
  },
}

function judge({ checks }: CheckedRecord, chain: ChainWord): Verdict {
  if (!checks.every(({ holds }) => holds)) return 'failed'
  if (chain.from === 'service') return 'reported'
  if (chain.state === 'answered') return chain.reading.isAnchored ? 'proven' : 'contradicted'
  return chain.state === 'asking' ? 'asking' : 'reported'
}

function contradictionOf(chain: ChainWord): string {
  const reading = chain.from === 'node' && chain.state === 'answered' ? chain.reading : null
  const reason = reading === null || reading.isAnchored ? 'it says something else' : reading.reason
  return `Asked by your browser, the node says: ${reason}. Do not rely on this record.`
}

function listProven({ proof, entry }: CheckedRecord, chain: ChainWord): string[] {
  const reading = chain.from === 'node' && chain.state === 'answered' ? chain.reading : null
  const by = reading?.isAnchored ? ` (${formatTime(reading.time)})` : ''
  return [
    `This registry recorded exactly what is shown here, as entry ${proof.index} of its log.`,
    `It did so no later than block ${proof.blockNumber} of chain ${proof.chainId}${by}.`,
    'Nobody has changed, moved or removed it since: the contract accepts a longer log only if it begins with the old one.',
    ...(entry?.receiptHash
      ? [
          'A signed receipt was issued for the decision, and its hash is part of the entry: whoever has the receipt can prove purpose and amount, too.',
        ]
      : []),
  ]
}

function listUnproven(chain: ChainWord): string[] {
  return [
    'That what it says is true, or that the counterparty did what was decided.',
    'What the request was about: purpose, amount and names are not in the entry, only the salted hash of all inputs.',
    'That contract and log are those of this registry: compare them once with a source that you trust.',
    chainDoubt(chain),
  ]
}

function chainDoubt(chain: ChainWord): string {
  if (chain.from === 'service') {
    return 'That the chain has this root: this service says so, and publishes no node that a browser could ask. The command asks a node of your choice.'
  }
  if (chain.state === 'answered') return `Anything, if the node at ${chain.host} lies: ask a second one.`
  return `That the chain has this root: this service says so, and the node at ${chain.host} has not confirmed it.`
}

/** What a record says, in one sentence. */
export function describeRecord({ type, agentId, endpointId, time }: AuditEntryFields): string {
  const about = [agentId && `agent ${agentId}`, endpointId && `endpoint ${endpointId}`].filter(Boolean)
  const happened = eventNames[type] ?? type
  return `${formatTime(new Date(time))}: ${[happened, ...about].join(', ')}.`
}

/** A time to the second, in UTC, because the reader may be anywhere. */
function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
