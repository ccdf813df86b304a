import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { OwnerFactsStore } from '../../../store/agents/ownerFactsStore.ts'
import type { AgentToken, TokenStore } from '../../../store/agents/tokenStore.ts'
import type { AlertStore } from '../../../store/approvals/alertStore.ts'
import { buildAlert } from '../../alerts/createRaiseAlert.ts'
import type { RegistrySettings } from '../../registrySettings.ts'
import { type IsHeldForOwnerDeps, isHeldForOwner } from './isHeldForOwner.ts'

export type WarnOfTokenDeps = {
  owners: Pick<OwnerFactsStore, 'walletsOf'> & IsHeldForOwnerDeps['owners']
  alerts: Pick<AlertStore, 'raise'>
  settings: Pick<RegistrySettings, 'clock' | 'randomBytes'>
}

/** A token as it was read before, and as it was read now. */
export type SeenToken = { before: AgentToken | null; token: AgentToken }

/**
 * Warns the owner of an agent if somebody else holds the token from now on, and of each new `agentWallet`: it signs for the
 * agent if the token is held for the owner.
 *
 * Not of one that changes nothing, because it signs anyway, or was unlinked and never does; nor of the relayer, which a
 * token in custody names.
 */
export async function warnOfToken(
  deps: WarnOfTokenDeps,
  trx: Parameters<TokenStore['put']>[0],
  { svcId, name, ownerId, signerAddress }: AgentRow,
  { before, token }: SeenToken,
): Promise<void> {
  const { holder, wallet } = token
  const isTransferred = holder !== before?.holder
  // A transfer clears the wallet, so the same one has been set again.
  const isWalletNew = wallet !== null && (isTransferred || wallet !== before.wallet)
  if (!isTransferred && !isWalletNew) return
  const wallets = await deps.owners.walletsOf(ownerId, trx)
  const isHeld = await isHeldForOwner(deps, { ownerId, signerAddress, wallets }, token, trx)
  const { clock, randomBytes } = deps.settings
  const raise = (code: string, data: Record<string, string>) => {
    const subject = [svcId, ...Object.values(data)].join(' ')
    const about = { agentId: svcId, agentName: name, ...data }
    const alert = { ownerId, code, severity: 'critical' as const, subject, data: about }
    return deps.alerts.raise(buildAlert(alert, { now: clock(), randomBytes }), trx)
  }
  if (isTransferred && !isHeld) await raise('agent.token_transferred', { holder })
  if (!isWalletNew) return
  const known = [signerAddress?.toLowerCase(), ...wallets.unlinked]
  if (ownerId.startsWith('SVCD-')) known.push(...wallets.linked)
  const changesNothing = isHeld && (token.custody === 'registry' || known.includes(wallet.toLowerCase()))
  if (!changesNothing) await raise('agent.wallet_set', { holder, wallet, signs: String(isHeld) })
}
