import { parseAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { hashInputs } from '@svc/core/audit/hashInputs.ts'
import { expect } from 'chai'
import { buildRecord } from '../../../builders/buildRecord.ts'

describe('newAuditRecord', () => {
  it('makes entries without a place that the auditor’s parser accepts and that commit to the stored inputs', () => {
    const record = buildRecord({ inputs: { a: 1 } })
    const parsed = parseAuditEntry(record.entry)
    if (!parsed.ok) throw new Error(parsed.reason)
    expect(parsed.entry).to.not.have.property('seq')
    expect(parsed.entry.inputsHash).to.equal(hashInputs(record.inputsSalt, record.inputs))
    expect(parsed.entry.salt).to.not.equal(record.inputsSalt)
  })

  it('generates new ids and salts for each record', () => {
    const [one, other] = [buildRecord(), buildRecord()]
    expect(one.recordId).to.not.equal(other.recordId)
    expect(one.inputsSalt).to.not.equal(other.inputsSalt)
  })
})
