import type { ForeignName } from '@svc/core/foreign/foreignName.ts'
import type { FileFault, ForeignFile } from '@svc/core/registrationFile/parseRegistrationFile.ts'
import type { ForeignToken } from '../../chain/foreignChain.ts'
import type { ReadFault } from '../../external/outbound/foreignFiles.ts'
import type { ForeignFeedback } from '../../store/agents/adoptionStore.ts'

/** Why an agent of another registry cannot be used here. */
export type ForeignFault = 'registry_not_trusted' | 'no_such_token' | 'adopted' | ReadFault | FileFault

/** What is wrong, for developers and in records. Source: docs/foreign-agents.md. */
export const FOREIGN_FAULTS: Readonly<Record<ForeignFault, string>> = {
  registry_not_trusted: 'names no registry that this service accepts (FOREIGN_REGISTRIES)',
  no_such_token: 'names a token that does not exist in its registry',
  adopted: 'names an agent that is already adopted here',
  no_token_uri: 'names a token without a URI, so it has no registration file',
  uri_not_supported: 'names a token whose URI is not https:, data: or, with a gateway, ipfs:',
  file_unreachable: 'names a token whose registration file cannot be read',
  file_too_long: 'names a token whose registration file is longer than 64 KiB',
  file_malformed: 'names a token whose file is not a registration file of ERC-8004',
  file_not_bound: 'names a token that its registration file does not list in registrations',
}

/** An agent of another registry, as its chain and its file describe it. */
export type ForeignAgent = {
  name: ForeignName
  /** In its only spelling: `eip155:<chain id>:<registry>/<agentId>`. */
  token: string
  state: ForeignToken
  file: ForeignFile
  feedback: ForeignFeedback | null
}

export type ForeignReading = { ok: true; agent: ForeignAgent } | { ok: false; fault: ForeignFault }

/** The state of a token; null if it does not exist, `untrusted` if its registry is not accepted. */
export type TokenReading = ForeignToken | 'untrusted' | null
