import type { Config } from '../config.ts'
import type { Logger } from '../external/logger.ts'
import { createGetText } from '../external/outboundHttp.ts'
import { createReadTextRecords } from '../external/textRecords.ts'
import type { RaiseAlert } from '../services/alerts/createRaiseAlert.ts'
import type { DomainDeps } from '../services/domains/domainDeps.ts'
import { findDomainProof } from '../services/domains/findDomainProof.ts'
import { recheckDomains } from '../services/domains/recheckDomains.ts'
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
  config: Pick<Config, 'allowPrivateNetwork' | 'dnsServers'>
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array; log: Logger }
  raiseAlert: RaiseAlert
  onTierChanged: DomainDeps['onTierChanged']
}

/** Composes domain verification: the check on request and the daily one. */
export function composeDomains({ db, config, ambient, raiseAlert, onTierChanged }: ComposeDomainsDeps) {
  const { clock, randomBytes, log } = ambient
  const outside = {
    readTextRecords: createReadTextRecords(config.dnsServers),
    getText: createGetText({ allowPrivate: config.allowPrivateNetwork, timeoutMs: TIMEOUT_MS }),
  }
  const deps: DomainDeps = {
    db,
    stores: {
      endpoints: createEndpointStore(db.query),
      proofs: createDomainProofStore(db.query),
      records: createAuditRecordStore(db.query),
    },
    find: (challenge) => findDomainProof(outside, challenge),
    onTierChanged,
    raiseAlert,
    randomBytes,
  }
  const worker = createRoundsWorker({
    failing: 'domains cannot be checked again',
    round: () => recheckDomains(deps, clock()),
    pauseMs: PAUSE_MS,
    log,
  })
  return {
    parts: deps,
    start: worker.start,
    stop: () => waitWithGrace(worker.stop()),
  }
}
