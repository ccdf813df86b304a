import { join } from 'node:path'
import type { Config } from '../config.ts'
import { encodeStatusList } from '../external/encodeStatusList.ts'
import { readEd25519Key } from '../external/readEd25519Key.ts'
import { createReceiptSigner } from '../external/receiptSigner.ts'
import { createStatusIndexes } from '../services/receipts/createStatusIndexes.ts'
import { createStatusLists } from '../services/receipts/createStatusLists.ts'
import type { EndSessionDeps } from '../services/receipts/endSession.ts'
import { issueReceipt } from '../services/receipts/issueReceipt.ts'
import type { RecordUsesDeps } from '../services/receipts/recordUses.ts'
import type { VerificationDeps } from '../services/verification/verificationDeps.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import type { Db } from '../store/database/database.ts'
import { createEndedSessionStore } from '../store/receipts/endedSessionStore.ts'
import { createReceiptStore } from '../store/receipts/receiptStore.ts'
import { createReceiptUseStore } from '../store/receipts/receiptUseStore.ts'
import { createStatusIndexStore } from '../store/receipts/statusIndexStore.ts'
import { createUsedProofStore } from '../store/recorder/usedProofStore.ts'

export type ComposeReceiptsDeps = {
  db: Db
  /** Positions that are reserved stay reserved, whatever becomes of the request for which they were. */
  unkeyedDb: Db
  config: Pick<Config, 'dataDir' | 'publicUrl'>
  /** Resolves once everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
  randomBytes: (length: number) => Uint8Array
}

/** Composes receipts: their key, their status lists, and the end of sessions. */
export function composeReceipts({ db, unkeyedDb, config, catchUp, randomBytes }: ComposeReceiptsDeps) {
  const { publicUrl } = config
  const signer = createReceiptSigner(readEd25519Key(join(config.dataDir, 'receipt-key.json')))
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
    uses: createReceiptUseStore(),
    usedProofs: createUsedProofStore(),
    transaction: db.transaction,
    catchUp,
    randomBytes,
  }
  const statusLists = createStatusLists({ receipts, size, encode: encodeStatusList, signer, publicUrl })
  const { publicKey } = signer
  return {
    publicKey,
    verdicts,
    parts: { ...sessions, statusLists },
    auditParts: { receipts, issuerKey: publicKey },
  }
}
