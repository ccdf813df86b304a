import { encodeHex } from '@svc/core/bytes.ts'
import { computeFileCid } from '@svc/core/registrationFile/computeFileCid.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import { buildAgentLinks } from '../buildAgentLinks.ts'

/** Tells where the token of an agent should lead. */
export type TokenUriOf = (agent: Pick<AgentRow, 'svcId' | 'registrationFileHash'>) => string

/**
 * Where tokens should lead: to the registration file at this host, or, where files are kept in IPFS, to the very bytes
 * that were committed to. A token is minted with the first, because the file names the token.
 *
 * Source: onchain.md "Registration file".
 */
export function createTokenUriOf(settings: { publicUrl: string; isInIpfs: boolean }): TokenUriOf {
  return ({ svcId, registrationFileHash }) =>
    settings.isInIpfs && registrationFileHash !== null
      ? `ipfs://${computeFileCid(registrationFileHash)}`
      : buildAgentLinks(settings.publicUrl, svcId).registrationFileUrl
}

/** The metadata an agent's token is minted with: its identifier, so that chain and registry name each other. */
export function mintMetadata(svcId: string): { metadataKey: string; metadataValue: `0x${string}` }[] {
  return [{ metadataKey: 'svcId', metadataValue: encodeHex(new TextEncoder().encode(svcId)) }]
}
