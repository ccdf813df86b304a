import type { Config } from '../../config.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import type { RaiseAlert } from '../../services/alerts/createRaiseAlert.ts'
import { announceRegistrationRequests } from '../../services/registrationRequests/announceRegistrationRequests.ts'
import type { ApproveRegistrationRequestDeps } from '../../services/registrationRequests/approveRegistrationRequest.ts'
import { expireRegistrationRequests } from '../../services/registrationRequests/expireRegistrationRequests.ts'
import type { ReadRegistrationRequestDeps } from '../../services/registrationRequests/readRegistrationRequest.ts'
import { createMailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import { createUserStore } from '../../store/accounts/userStore.ts'
import { createAgentKeyStore } from '../../store/agents/agentKeyStore.ts'
import { createAgentStore } from '../../store/agents/agentStore.ts'
import { createLineageStore } from '../../store/agents/lineageStore.ts'
import { createOwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import { createAlertStore } from '../../store/approvals/alertStore.ts'
import { createOwnerContactsStore } from '../../store/approvals/ownerContactsStore.ts'
import { createRegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import { createAuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createInterventionStore } from '../../store/operator/interventionStore.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'
import { createWriteAs } from '../createWriteAs.ts'

export type ComposeRegistrationRequestsDeps = {
  db: Db
  config: Pick<Config, 'publicUrl' | 'appUrl' | 'allowPrivateNetwork'>
  passkeys: Pick<ReadRegistrationRequestDeps, 'assertionOptions'> &
    Pick<ApproveRegistrationRequestDeps, 'verifyAssertion'>
  registration: ApproveRegistrationRequestDeps['registration']
  budgets: ApproveRegistrationRequestDeps['budgets']
  raiseAlert: RaiseAlert
  onAccountChanged(userId: string): Promise<void>
  onMailQueued(): void
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array; log: Logger }
}

/** Maximum delay until a request from another process, or an expired one, is noticed. */
const PAUSE_MS = 2_000

/** Composes registrations that await an owner’s approval, and the loop that notifies owners of them. */
export function composeRegistrationRequests(deps: ComposeRegistrationRequestsDeps) {
  const { db, config, ambient } = deps
  const { clock, randomBytes, log } = ambient
  const { publicUrl, appUrl, allowPrivateNetwork } = config
  const parts = {
    ...deps,
    ...deps.passkeys,
    writeAs: createWriteAs(db),
    requests: createRegistrationRequestStore(db.query),
    agentKeys: createAgentKeyStore(db.query),
    parents: { agents: createAgentStore(db.query), lineage: createLineageStore(db.query) },
    users: createUserStore(db.query),
    owners: createOwnerFactsStore(db.query),
    contacts: createOwnerContactsStore(db.query),
    interventions: createInterventionStore(db.query),
    records: createAuditRecordStore(db.query),
    alerts: createAlertStore(db.query),
    post: { outbox: createMailOutboxStore(), appUrl, randomBytes, wake: deps.onMailQueued },
    settings: { publicUrl, allowPrivateNetwork, clock, randomBytes },
    clock,
    tell: { raiseAlert: deps.raiseAlert, onRequested: () => worker.wake() },
  }
  const worker = createRoundsWorker({
    failing: 'owners cannot be told of registrations',
    async round() {
      const announced = await announceRegistrationRequests(parts)
      return announced + (await expireRegistrationRequests(parts))
    },
    pauseMs: PAUSE_MS,
    log,
  })
  return { parts, start: worker.start, stop: worker.stop }
}
