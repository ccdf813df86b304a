import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import type { Config } from '../config.ts'
import { createGetText, type TraceHeaders } from '../external/outbound/outboundHttp.ts'
import { createReadTextRecords } from '../external/outbound/textRecords.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import { createHostTokenOf } from '../external/tokens/hostTokens.ts'
import type { RaiseAlert } from '../services/alerts/createRaiseAlert.ts'
import type { DomainDeps } from '../services/domains/domainDeps.ts'
import { findDomainProof } from '../services/domains/findDomainProof.ts'
import type { HostDeps } from '../services/domains/hostDeps.ts'
import { recheckDomains } from '../services/domains/recheckDomains.ts'
import { createMailOutboxStore } from '../store/accounts/mailOutboxStore.ts'
import { createAlertStore } from '../store/approvals/alertStore.ts'
import { createOwnerContactsStore } from '../store/approvals/ownerContactsStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import type { Db } from '../store/database/database.ts'
import { createDomainProofStore } from '../store/endpoints/domainProofStore.ts'
import { createEndpointStore } from '../store/endpoints/endpointStore.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'
import { waitWithGrace } from '../workers/waitWithGrace.ts'

const TIMEOUT_MS = 5_000
const PAUSE_MS = 60_000

export type ComposeDomainsDeps = {
  db: Db
  unkeyedDb: HostDeps['unkeyedDb']
  config: Pick<Config, 'allowPrivateNetwork' | 'dnsServers' | 'appUrl'>
  /** Derives the tokens that owners publish. */
  hostTokenKey: Uint8Array
  ambient: {
    clock: () => number
    randomBytes: (length: number) => Uint8Array
    log: Logger
    traceHeaders?: TraceHeaders | undefined
  }
  raiseAlert: RaiseAlert
  caches: Pick<HostDeps, 'onEndpointChanged' | 'onTierChanged'>
  /** Called after the commit when a mail is waiting. */
  onMailQueued(): void
}

/** Composes domain verification: the checks on request, at a registration on a host of others, and every day. */
export function composeDomains({ db, config, ambient, raiseAlert, caches, ...deps }: ComposeDomainsDeps) {
  const { clock, randomBytes, log } = ambient
  const outside = {
    readTextRecords: createReadTextRecords(config.dnsServers),
    getText: createGetText({
      allowPrivate: config.allowPrivateNetwork,
      timeoutMs: TIMEOUT_MS,
      traceHeaders: ambient.traceHeaders,
    }),
  }
  const find = (challenge: DomainChallenge) => findDomainProof(outside, challenge)
  const stores = {
    endpoints: createEndpointStore(db.query),
    proofs: createDomainProofStore(db.query),
    records: createAuditRecordStore(db.query),
    alerts: createAlertStore(db.query),
    contacts: createOwnerContactsStore(db.query),
  }
  const { onTierChanged } = caches
  const checks: DomainDeps = { db, stores, find, onTierChanged, raiseAlert, randomBytes }
  const hosts: HostDeps = {
    unkeyedDb: deps.unkeyedDb,
    stores,
    find,
    tokenOf: createHostTokenOf(deps.hostTokenKey),
    onEndpointChanged: caches.onEndpointChanged,
    onTierChanged,
    post: {
      outbox: createMailOutboxStore(),
      appUrl: config.appUrl,
      randomBytes,
      wake: deps.onMailQueued,
    },
  }
  const worker = createRoundsWorker({
    failing: 'domains cannot be checked again',
    round: () => recheckDomains(checks, clock()),
    pauseMs: PAUSE_MS,
    log,
  })
  return {
    parts: { ...checks, hosts },
    start: worker.start,
    stop: () => waitWithGrace(worker.stop()),
  }
}
