import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { composeReceipts } from '../../../../server/compose/audit/composeReceipts.ts'
import { createKeyRing, type PrivateJwk, toRingKey } from '../../../../server/external/keys/keyRing.ts'
import { createReceiptSigner } from '../../../../server/external/keys/receiptSigner.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'

describe('the key of a receipt', () => {
  it('is found after it is no longer published, and no other one is named for it once it is lost', async () => {
    const database = await openTemporaryDatabase()
    try {
      const [first, second] = [0, 1].map(() => createAgentKey().privateJwk as PrivateJwk)
      if (!first || !second) throw new Error('two keys were created')
      const keys = createKeyRing(first)
      const { db } = database
      const { auditParts } = composeReceipts({
        ...{ db, unkeyedDb: db, recorder: { hasUsed: () => false }, keys, randomBytes, clock: () => 1_000 },
        config: { publicUrl: 'https://svc.test' },
        partiesOf: async () => null,
        catchUp: async () => 0,
      })
      const signer = createReceiptSigner(createPrivateKey({ key: { kty: 'OKP', ...first }, format: 'jwk' }))
      keys.setLater([toRingKey(second, { signsFrom: 10, formerUntil: 20 })])
      expect(keys.published(1_000)).to.have.length(1)
      const issuerKey = auditParts.issuerKeyOf(signer.sign('svc-verdict+jwt', {}))
      expect(issuerKey).to.deep.equal(signer.publicKey)
      // Another key in its place would make a genuine receipt look forged.
      const lost = createReceiptSigner(generateKeyPairSync('ed25519').privateKey)
      expect(auditParts.issuerKeyOf(lost.sign('svc-verdict+jwt', {}))).to.equal(undefined)
    } finally {
      await database.remove()
    }
  })
})
