import { createAuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import { composeReceipts } from '../audit/composeReceipts.ts'
import { composeForeignChains } from '../chain/composeForeign.ts'
import { composePlatforms } from '../composePlatforms.ts'
import { type ComposeVerificationDeps, composeVerification } from '../composeVerification.ts'
import type { Anchoring } from './composeAnchoring.ts'
import type { Base } from './composeBase.ts'
import type { People } from './composePeople.ts'

export type ComposeDecisionsDeps = {
  base: Base
  anchoring: Anchoring
  people: People
  measure: ComposeVerificationDeps['measure']
  adoptions: Pick<ComposeVerificationDeps['foreign'], 'endAdoption' | 'changeWallet'>
}

export type Decisions = ReturnType<typeof composeDecisions>

/** Composes the decisions on requests of agents, their receipts, and the outside facts that they rest on. */
export function composeDecisions({ base, anchoring, people, measure, adoptions }: ComposeDecisionsDeps) {
  const { db, config, database, recorder, agents, endpoints, answerTimeoutMs, ambient } = base
  const { clock, randomBytes, log, traceHeaders } = ambient
  const { accounts, notices } = people
  const { catchUp, onFeedAdvanced } = anchoring.audit
  const platforms = composePlatforms({
    config,
    agents: { db: database.db, agents, records: createAuditRecordStore(db.query), randomBytes },
    replays: database.replays,
    ...{ answerTimeoutMs, traceHeaders, clock, log },
  })
  const receipts = composeReceipts({
    ...{ db, recorder, unkeyedDb: database.db, config, clock, catchUp, randomBytes },
    keys: base.signingKeys.rings.receipts,
    partiesOf: (record) => verification.partiesOf(record),
  })
  const foreign = composeForeignChains(config, ambient)
  const verification = composeVerification({
    ...{ db, unkeyedDb: database.db, config, recorder, agents, endpoints, catchUp, onFeedAdvanced },
    owners: accounts.caches.owners,
    identifyPlatform: platforms.identify,
    proofs: accounts,
    raiseAlert: base.raiseAlert,
    budgetOf: database.budgetOf,
    onOwnerAsked: notices.onOwnerAsked,
    measure,
    answerTimeoutMs,
    receipts: receipts.verdicts,
    foreign: { reader: foreign.reader, ...adoptions },
    ambient,
  })
  return { platforms, receipts, foreign, verification }
}
