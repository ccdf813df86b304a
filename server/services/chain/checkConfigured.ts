import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { ExistingContracts } from '../../chain/deployContracts.ts'
import { CONTRACT_SETTINGS } from './contractSettings.ts'

/**
 * Rejects configured contracts that do not exist or are something else, and registries that refer to another identity
 * registry: their feedback and validations would concern unknown agents.
 *
 * @param identityRegistry The registry in which this service registers agents; null if it is still to be deployed.
 * @throws Error with a message for the operator. Source: ERC-8004 `getIdentityRegistry`.
 */
export async function checkConfigured(
  chain: Pick<ChainClient, 'hasCode' | 'hasTokens' | 'readIdentityRegistry'> & {
    auditLog: Pick<ChainClient['auditLog'], 'isAuditLog'>
  },
  configured: ExistingContracts,
  identityRegistry: Hex | null,
): Promise<void> {
  for (const [name, key] of CONTRACT_SETTINGS) {
    const address = configured[key]
    if (address === undefined) continue
    if (!(await chain.hasCode(address))) {
      throw new Error(`Setting ${name}: there is no contract at ${address} on this chain`)
    }
    if (key === 'identityRegistry' && !(await chain.hasTokens(address))) {
      throw new Error(`Setting ${name}: the contract at ${address} is no registry of identities`)
    }
    if (key === 'auditLog' && !(await chain.auditLog.isAuditLog(address))) {
      throw new Error(`Setting ${name}: the contract at ${address} is no audit log`)
    }
    if (!ABOUT_IDENTITIES.has(key)) continue
    const about = await chain.readIdentityRegistry(address)
    if (about === null) {
      throw new Error(`Setting ${name}: the contract at ${address} does not say whose identities it is about`)
    }
    if (about !== identityRegistry) {
      const ours = identityRegistry ?? 'one that is still to be deployed'
      throw new Error(
        `Setting ${name}: the registry at ${address} is about the identities of ${about}, not of ${ours}; ` +
          'set IDENTITY_REGISTRY_ADDRESS to it, or leave the setting out',
      )
    }
  }
}

/** The registries that name the registry of identities they are about. */
const ABOUT_IDENTITIES: ReadonlySet<string> = new Set(['reputationRegistry', 'validationRegistry'])
