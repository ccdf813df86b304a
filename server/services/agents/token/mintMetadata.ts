import { encodeHex } from '@svc/core/bytes.ts'

/** The metadata an agent's token is minted with: its identifier, so that chain and registry name each other. */
export function mintMetadata(svcId: string): { metadataKey: string; metadataValue: `0x${string}` }[] {
  return [{ metadataKey: 'svcId', metadataValue: encodeHex(new TextEncoder().encode(svcId)) }]
}
