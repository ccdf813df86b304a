import { parseAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { hashInputs } from '@svc/core/audit/hashInputs.ts'
import { expect } from 'chai'
import { buildRecord } from '../../../builders/buildRecord.ts'

describe('newAuditRecord', () => {
  it('makes entries that the auditor’s parser accepts and that commit to the stored inputs', () => {
    const record = buildRecord({ inputs: { a: 1 } })
    const parsed = parseAuditEntry(record.entryOf(7))
    if (!parsed.ok) throw new Error(parsed.reason)
    expect(parsed.entry.seq).to.equal(7)
    expect(parsed.entry.inputsHash).to.equal(hashInputs(record.inputsSalt, record.inputs))
    expect(parsed.entry.salt).to.not.equal(record.inputsSalt)
  })

  it('generates new ids and salts for each record', () => {
    const [one, other] = [buildRecord(), buildRecord()]
    expect(one.recordId).to.not.equal(other.recordId)
    expect(one.inputsSalt).to.not.equal(other.inputsSalt)
  })
})
