import { createPrivateKey } from 'node:crypto'
import type { Config } from '../../config.ts'
import { createPerKey, type KeyRing, type RingKey } from '../../external/keys/keyRing.ts'
import { createReceiptSigner, type ReceiptSigner } from '../../external/keys/receiptSigner.ts'
import { encodeStatusList } from '../../external/tokens/encodeStatusList.ts'
import { createStatusIndexes } from '../../services/receipts/createStatusIndexes.ts'
import { createStatusLists } from '../../services/receipts/createStatusLists.ts'
import type { EndSessionDeps } from '../../services/receipts/endSession.ts'
import { issueReceipt } from '../../services/receipts/issueReceipt.ts'
import type { RecordUsesDeps } from '../../services/receipts/recordUses.ts'
import type { VerificationDeps } from '../../services/verification/verificationDeps.ts'
import { createAuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createEndedSessionStore } from '../../store/receipts/endedSessionStore.ts'
import { createReceiptStore } from '../../store/receipts/receiptStore.ts'
import { createReceiptUseStore } from '../../store/receipts/receiptUseStore.ts'
import { createStatusIndexStore } from '../../store/receipts/statusIndexStore.ts'
import type { Recorder } from '../../store/recorder/recorder.ts'
import { createSubAgentGrantStore } from '../../store/recorder/subAgentGrantStore.ts'
import { createUsedProofStore } from '../../store/recorder/usedProofStore.ts'

export type ComposeReceiptsDeps = {
  db: Db
  recorder: Pick<Recorder, 'hasUsed'>
  /** Positions that are reserved stay reserved, whatever becomes of the request for which they were. */
  unkeyedDb: Db
  config: Pick<Config, 'publicUrl'>
  /** Sign receipts and status lists. */
  keys: KeyRing
  clock: () => number
  partiesOf: RecordUsesDeps['partiesOf']
  /** Resolves once everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
  randomBytes: (length: number) => Uint8Array
}

/** Composes receipts: their key, their status lists, and the end of sessions. */
export function composeReceipts(deps: ComposeReceiptsDeps) {
  const { db, recorder, unkeyedDb, config, keys, clock, catchUp, randomBytes } = deps
  const { publicUrl } = config
  const signerOf = createPerKey((jwk) =>
    createReceiptSigner(createPrivateKey({ key: { kty: 'OKP', ...jwk }, format: 'jwk' })),
  )
  const signer: Pick<ReceiptSigner, 'sign'> = {
    sign: (type, claims) => signerOf(keys.signing(clock())).sign(type, claims),
  }
  const { reserve, size } = createStatusIndexStore(unkeyedDb)
  const receipts = createReceiptStore(db.query)
  const verdicts: VerificationDeps['receipts'] = {
    takeStatusIndex: createStatusIndexes(reserve),
    issue: (facts) => issueReceipt({ signer, publicUrl }, facts),
  }
  const sessions: EndSessionDeps & RecordUsesDeps = {
    records: createAuditRecordStore(db.query),
    receipts,
    endedSessions: createEndedSessionStore(),
    subAgents: createSubAgentGrantStore(),
    uses: createReceiptUseStore(),
    usedProofs: createUsedProofStore(recorder.hasUsed),
    transaction: db.transaction,
    partiesOf: deps.partiesOf,
    catchUp,
    randomBytes,
  }
  const statusLists = createStatusLists({ receipts, size, encode: encodeStatusList, signer, publicUrl })
  return {
    verdicts,
    parts: { ...sessions, statusLists },
    auditParts: {
      receipts,
      /** The key that signed a receipt, even if it is no longer published; undefined if it was lost. */
      issuerKeyOf(receipt: string) {
        const key = findSigner(keys, receipt)
        return key && signerOf(key).publicKey
      },
    },
  }
}

function findSigner(keys: KeyRing, receipt: string): RingKey | undefined {
  const header = JSON.parse(Buffer.from(receipt.split('.')[0] ?? '', 'base64url').toString())
  return keys.all().find(({ kid }) => kid === header.kid)
}
