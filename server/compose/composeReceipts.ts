import { join } from 'node:path'
import type { Config } from '../config.ts'
import { readEd25519Key } from '../external/readEd25519Key.ts'
import { createReceiptSigner } from '../external/receiptSigner.ts'
import { createStatusIndexes } from '../services/receipts/createStatusIndexes.ts'
import { issueReceipt } from '../services/receipts/issueReceipt.ts'
import type { VerificationDeps } from '../services/verification/verificationDeps.ts'
import type { Db } from '../store/database/database.ts'
import { createStatusIndexStore } from '../store/receipts/statusIndexStore.ts'

export type ComposeReceiptsDeps = {
  /** Positions that are reserved stay reserved, whatever becomes of the request for which they were. */
  unkeyedDb: Db
  config: Pick<Config, 'dataDir' | 'publicUrl'>
}

/** Composes receipts: their key, and their positions in the status lists. */
export function composeReceipts({ unkeyedDb, config }: ComposeReceiptsDeps) {
  const { publicUrl } = config
  const signer = createReceiptSigner(readEd25519Key(join(config.dataDir, 'receipt-key.json')))
  const statusIndexes = createStatusIndexStore(unkeyedDb)
  const verdicts: VerificationDeps['receipts'] = {
    takeStatusIndex: createStatusIndexes(statusIndexes.reserve),
    issue: (facts) => issueReceipt({ signer, publicUrl }, facts),
  }
  return { publicKey: signer.publicKey, verdicts }
}
