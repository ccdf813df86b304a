import { isSameHex } from '@svc/core/isSameHex.ts'
import type { RememberedDeployment } from '../../store/relayer/deploymentStore.ts'

/** The chain that is currently reachable. */
export type FoundChain = {
  chainId: number
  genesisHash: string
  hasRegistry: boolean
  hasLog: boolean
  /** Also true if none is remembered. */
  hasReputationRegistry: boolean
  hasValidationRegistry: boolean
  /** The last batch of our log on the chain, and its root. */
  head: { batch: number; root: string; operator: string | null }
}

/** The chain that the database remembers. */
export type RememberedChain = {
  deployment: RememberedDeployment
  lastSealed: number
  lastConfirmed: number
  /** Root of the chain's last batch in the database; null if there is no such batch. */
  rootAtHead: string | null
}

export type ChainVerdict =
  | { verdict: 'same' }
  /** A development chain that was restarted. */
  | { verdict: 'replay'; why: string }
  /** Nothing may be sent; `why` is a message for the operator. */
  | { verdict: 'refuse'; why: string }

/**
 * Compares the reachable chain with the remembered one.
 *
 * A development chain forgets everything when it stops, and is then refilled from the database. Any other chain without our
 * contracts or log is not the one we anchored to, or the node is the wrong one: continuing would hide that, so the service
 * refuses to start. A log that merely ends earlier went through a reorganisation, or the node lags behind; the relayer
 * tells these apart and restores what is missing.
 *
 * Source: docs/architecture.md.
 */
export function compareChain(
  found: FoundChain,
  remembered: RememberedChain,
  { isLocal, relayers }: { isLocal: boolean; relayers: readonly string[] },
): ChainVerdict {
  const { deployment } = remembered
  if (found.chainId !== deployment.chainId) {
    return refuse(
      `The database belongs to chain ${deployment.chainId} and the node answers for chain ${found.chainId}: ` +
        'correct RPC_URL, or give this chain a database of its own.',
    )
  }
  const lost = findLoss(found, remembered)
  if (lost !== null) {
    if (isLocal) return { verdict: 'replay', why: lost }
    return refuse(
      `Chain ${found.chainId} lost what was anchored there: ${lost}. Correct RPC_URL if it is another chain.`,
    )
  }
  const { head } = found
  if (head.batch > remembered.lastSealed) {
    return refuse(
      `The audit log on chain ends at batch ${head.batch} and the database at batch ${remembered.lastSealed}: ` +
        'the database lost anchored records; restore a newer copy.',
    )
  }
  if (head.batch > 0 && !isSameHex(head.root, remembered.rootAtHead ?? '')) {
    return refuse(
      `Batch ${head.batch} has root ${head.root} on chain and ${remembered.rootAtHead} in the database: ` +
        'the database was changed.',
    )
  }
  if (!relayers.some((relayer) => isSameHex(relayer, head.operator ?? ''))) {
    return refuse(
      `The audit log ${deployment.logId} is operated by ${head.operator}, and RELAYER_PRIVATE_KEY is the key of ` +
        `${relayers[0]}: set the key of the operator again or, to replace it, as RELAYER_PRIVATE_KEY_FORMER.`,
    )
  }
  return { verdict: 'same' }
}

function findLoss(found: FoundChain, { deployment }: RememberedChain): string | null {
  if (found.genesisHash !== deployment.genesisHash) return 'it has another genesis block'
  if (!found.hasRegistry) return `no identity registry at ${deployment.identityRegistry}`
  if (!found.hasLog) return `no audit log contract at ${deployment.auditLog}`
  if (!found.hasReputationRegistry) return `no reputation registry at ${deployment.reputationRegistry}`
  if (!found.hasValidationRegistry) return `no validation registry at ${deployment.validationRegistry}`
  if (found.head.operator === null) return `no audit log ${deployment.logId} at ${deployment.auditLog}`
  return null
}

function refuse(why: string): ChainVerdict {
  return { verdict: 'refuse', why }
}
