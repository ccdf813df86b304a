import type { SignedRequest } from '../accounts/authenticateSignature.ts'
import type { Principal } from '../principal.ts'
import type { FoundDocument, SearchDocsInput } from './searchDocs.ts'

/** What the MCP server needs beyond the use cases that HTTP routes call. */
export type McpServices = {
  /** Of the service, as its package says. */
  version: string
  publicUrl: string
  /** Sites whose pages may call; a request that no page sends names none. */
  origins: ReadonlySet<string>
  /** Whose key signed a request that came as a tool's arguments. */
  signedBy(request: SignedRequest, now: number): Promise<Principal>
  searchDocs(input: SearchDocsInput): Promise<FoundDocument[]>
}
