import { auditEntry, splitAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { anyEntryFields } from './anyEntryFields.ts'

describe('splitAuditEntry', () => {
  it('leaves out the number and nothing else, for any strings', () => {
    fc.assert(
      fc.property(anyEntryFields, (fields) => {
        const [before, after] = splitAuditEntry(auditEntry({ ...fields, seq: 0 }))
        expect(`${before}${fields.seq}${after}`).to.equal(auditEntry(fields))
      }),
      { numRuns: 500 },
    )
  })

  it('is not misled by texts that look like the number', () => {
    const [fields] = fc.sample(anyEntryFields, 1)
    if (fields === undefined) throw new Error('there is no sample')
    const odd = { ...fields, agentId: '"seq":0,', subject: { '"seq":0,': '"seq":0,', seq: '0,' } }
    const [before, after] = splitAuditEntry(auditEntry({ ...odd, seq: 0 }))
    expect(`${before}9${after}`).to.equal(auditEntry({ ...odd, seq: 9 }))
  })

  it('refuses an entry of another place', () => {
    expect(() => splitAuditEntry('{"seq":10,"time":""}')).to.throw('the first of a log is split')
  })
})
