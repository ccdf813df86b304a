import { generateKeyPairSync } from 'node:crypto'
import { checkReceiptOfEntry } from '@svc/core/receipt/checkReceiptOfEntry.ts'
import { hashReceipt } from '@svc/core/receipt/hashReceipt.ts'
import { RECEIPT_TYPE } from '@svc/core/receipt/receipt.ts'
import { expect } from 'chai'
import { createReceiptSigner } from '../../../server/external/keys/receiptSigner.ts'
import { RECEIPT_CLAIMS } from '../../builders/receiptClaims.ts'
import { buildAuditEntryFields } from '../audit/buildAuditEntryFields.ts'

describe('checkReceiptOfEntry', () => {
  const { sign } = createReceiptSigner(generateKeyPairSync('ed25519').privateKey)
  const receipt = sign(RECEIPT_TYPE, RECEIPT_CLAIMS)
  const entry = buildAuditEntryFields({
    recordId: RECEIPT_CLAIMS.jti,
    agentId: RECEIPT_CLAIMS.sub,
    sessionId: RECEIPT_CLAIMS.sessionId,
    identityProof: RECEIPT_CLAIMS.identityProof,
    time: new Date(RECEIPT_CLAIMS.iat * 1000 + 999).toISOString(),
    receiptHash: hashReceipt(receipt),
  })

  it('accepts the receipt that the entry commits to', () => {
    expect(checkReceiptOfEntry(receipt, entry)).to.deep.equal({ ok: true, claims: RECEIPT_CLAIMS })
  })

  it('rejects an entry that commits to the receipt, but is about another decision', () => {
    for (const [changes, name] of [
      [{ recordId: 'another' }, 'record'],
      [{ agentId: null }, 'agent'],
      [{ decision: 'deny' }, 'recommendation'],
      [{ identityProof: null }, 'proof of identity'],
      [{ sessionId: null }, 'session'],
      [{ time: new Date(RECEIPT_CLAIMS.iat * 1000 + 1_000).toISOString() }, 'time'],
    ] as const) {
      const checked = checkReceiptOfEntry(receipt, { ...entry, ...changes })
      expect(checked.ok ? '' : checked.reason).to.match(new RegExp(`^its ${name} is `))
    }
  })

  it('rejects another token of the issuer, whatever the entry commits to', () => {
    const token = sign('at+jwt', RECEIPT_CLAIMS)
    const checked = checkReceiptOfEntry(token, { ...entry, receiptHash: hashReceipt(token) })
    expect(checked).to.deep.equal({ ok: false, reason: 'it is not a receipt' })
  })
})
