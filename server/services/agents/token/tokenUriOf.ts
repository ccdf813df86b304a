import { encodeHex } from '@svc/core/bytes.ts'
import { computeFileCid } from '@svc/core/registrationFile/computeFileCid.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import { buildAgentLinks } from '../buildAgentLinks.ts'

/** Returns the URI that the token of an agent should have. */
export type TokenUriOf = (agent: Pick<AgentRow, 'svcId' | 'registrationFileHash'>) => string

/**
 * Creates the function that returns the URI of a token: the registration file at this host or, with IPFS, the exact bytes
 * that were committed to. A token is minted with the former, because the file contains the number of the token.
 */
export function createTokenUriOf(settings: { publicUrl: string; isInIpfs: boolean }): TokenUriOf {
  return ({ svcId, registrationFileHash }) =>
    settings.isInIpfs && registrationFileHash !== null
      ? `ipfs://${computeFileCid(registrationFileHash)}`
      : buildAgentLinks(settings.publicUrl, svcId).registrationFileUrl
}

/** The metadata with which an agent's token is minted: its identifier, so that chain and registry refer to each other. */
export function mintMetadata(svcId: string): { metadataKey: string; metadataValue: `0x${string}` }[] {
  return [{ metadataKey: 'svcId', metadataValue: encodeHex(new TextEncoder().encode(svcId)) }]
}
