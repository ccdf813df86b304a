import type { Config } from '../config.ts'
import { createCredentialVerifier } from '../external/credentialVerifier.ts'
import { createGetText, type TraceHeaders } from '../external/outbound/outboundHttp.ts'
import type { RaiseAlert } from '../services/alerts/createRaiseAlert.ts'
import type { CredentialDeps } from '../services/credentials/credentialDeps.ts'
import type { AgentStore } from '../store/agents/agentStore.ts'
import { createCredentialStore } from '../store/agents/credentialStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import type { Db } from '../store/database/database.ts'

const DOCUMENT_TIMEOUT_MS = 5_000

export type ComposeCredentialsDeps = {
  db: Db
  config: Pick<Config, 'publicUrl' | 'allowPrivateNetwork' | 'credentialRootsFile'>
  agents: AgentStore
  randomBytes: (length: number) => Uint8Array
  raiseAlert: RaiseAlert
  onCredentialChanged(lookupKey: string): void
  traceHeaders: TraceHeaders | undefined
}

/** Composes third-party credentials: verification, storage and notification of changes. */
export function composeCredentials(deps: ComposeCredentialsDeps): CredentialDeps {
  const { db, config, agents, randomBytes, raiseAlert, onCredentialChanged } = deps
  const { publicUrl, allowPrivateNetwork, credentialRootsFile } = config
  const getText = createGetText({
    allowPrivate: allowPrivateNetwork,
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    traceHeaders: deps.traceHeaders,
  })
  return {
    db,
    agents,
    credentials: createCredentialStore(db.query),
    records: createAuditRecordStore(db.query),
    verify: createCredentialVerifier({ getText, rootsFile: credentialRootsFile }),
    raiseAlert,
    onCredentialChanged,
    settings: { publicUrl, randomBytes },
  }
}
