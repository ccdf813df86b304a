import {
  type AuditEntryFields,
  parseAuditEntry,
  splitAuditEntry,
  writeAuditEntry,
} from '@svc/core/audit/auditEntry.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { anyEntryFields } from './anyEntryFields.ts'
import { buildAuditEntryFields } from './buildAuditEntryFields.ts'

/** Writes the same entry the slow way: drops absent members and lets the general writer sort. */
function naiveEntry(fields: AuditEntryFields): string {
  const optional = ['sessionId', 'correlationId', 'subject']
  const members = Object.entries(fields).filter(([name, value]) => value || !optional.includes(name))
  return canonicaliseJson({ ...Object.fromEntries(members), version: 1 })
}

describe('auditEntry', () => {
  it('writes one entry, member for member', () => {
    expect(
      writeAuditEntry(
        buildAuditEntryFields({ dimensions: ['pdlss.scope', 'trust.score'], decision: 'deny' }),
      ),
    ).to.equal(
      '{"agentId":"SVC-0123456789abcdefghijkl","decision":"deny","dimensions":["pdlss.scope","trust.score"],' +
        '"endpointId":"SVCE-0123456789abcdefghijkl",' +
        `"inputsHash":"0x${'ab'.repeat(32)}","policyHashes":{"agent":"0x${'cd'.repeat(32)}","endpoint":null},` +
        '"recordId":"0199c1a0-0000-7000-8000-000000000007","salt":"000102030405060708090a0b0c0d0e0f","seq":7,' +
        '"sessionId":"7b1f4a52-6a0c-4b61-9f5c-0d0f3a1e2b3c","time":"2025-11-20T10:00:00.000Z",' +
        '"type":"verification.completed","version":1}',
    )
  })

  it('is byte for byte the canonical JSON of the same object, for any strings', () => {
    fc.assert(
      fc.property(anyEntryFields, (fields) => {
        expect(writeAuditEntry(fields)).to.equal(naiveEntry(fields))
      }),
      { numRuns: 500 },
    )
  })

  it('keeps a backslash before "ud", which only looks like an escaped surrogate', () => {
    const fields = buildAuditEntryFields({ agentId: String.raw`a\ud800 "b"` })
    expect(writeAuditEntry(fields)).to.equal(naiveEntry(fields))
  })

  it('rejects lone surrogates in every member, like the canonical writer', () => {
    for (const varied of [
      { agentId: '\ud800' },
      { dimensions: ['a', '\udfff'] },
      { subject: { '\udbff': '' } },
    ]) {
      expect(() => writeAuditEntry(buildAuditEntryFields(varied))).to.throw('lone surrogate')
    }
  })

  it('rejects a request that is both verified and anonymous, and a sequence number that is not an integer', () => {
    expect(() => writeAuditEntry(buildAuditEntryFields({ correlationId: 'c' }))).to.throw(
      'both a session and a correlation',
    )
    for (const seq of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(() => writeAuditEntry(buildAuditEntryFields({ seq }))).to.throw('not a sequence number')
    }
  })
})

describe('parseAuditEntry', () => {
  const fields = buildAuditEntryFields()

  it('returns the fields that writeAuditEntry was given', () => {
    expect(parseAuditEntry(writeAuditEntry(fields))).to.deep.equal({ ok: true, entry: fields })
  })

  it('parses records other than verifications', () => {
    const record = buildAuditEntryFields({
      type: 'agent.registered',
      decision: null,
      endpointId: null,
      sessionId: undefined,
      subject: { registrationFile: `0x${'11'.repeat(32)}`, 10: 'b', 9: 'a' },
    })
    const { sessionId: _, ...entry } = record
    expect(parseAuditEntry(writeAuditEntry(record))).to.deep.equal({ ok: true, entry })
  })

  it('returns the hash of a receipt, and refuses one that is not a hash', () => {
    const issued = { ...fields, receiptHash: `0x${'ef'.repeat(32)}` }
    expect(parseAuditEntry(writeAuditEntry(issued))).to.deep.equal({ ok: true, entry: issued })
    expect(parseAuditEntry(writeAuditEntry({ ...fields, receiptHash: '0xEF' }))).to.include({ ok: false })
  })

  const refused: readonly (readonly [string, string, string])[] = [
    ['text that is not JSON', '{', 'not JSON'],
    ['another version', writeAuditEntry(fields).replace('"version":1', '"version":2'), 'version'],
    ['an unknown member', writeAuditEntry(fields).replace('{', '{"a":1,'), 'Unrecognized key'],
    ['white space', ` ${writeAuditEntry(fields)}`, 'not canonical'],
    ['a duplicate name', writeAuditEntry(fields).replace('{', '{"agentId":"x",'), 'not canonical'],
    [
      'a lone surrogate, which no canonical text contains',
      writeAuditEntry(fields).replace('"SVC-', String.raw`"\ud800SVC-`),
      'not canonical',
    ],
    ['a short salt', writeAuditEntry({ ...fields, salt: '00' }), 'salt'],
    [
      'a hash in upper case',
      writeAuditEntry({ ...fields, inputsHash: `0x${'AB'.repeat(32)}` }),
      'inputsHash',
    ],
    ['a time without milliseconds', writeAuditEntry({ ...fields, time: '2025-11-20T10:00:00Z' }), 'time'],
    [
      'an upper-case policy hash, reported by its path',
      writeAuditEntry({ ...fields, policyHashes: { agent: 'AB', endpoint: null } }),
      'policyHashes.agent',
    ],
    ['an unknown decision', writeAuditEntry(fields).replace('"grant"', '"granted"'), 'decision'],
    [
      'both a session and a correlation',
      writeAuditEntry(fields).replace('"decision"', '"correlationId":"c","decision"'),
      'both a session and a correlation',
    ],
  ]
  for (const [name, text, reason] of refused) {
    it(`rejects ${name}`, () => {
      const parsed = parseAuditEntry(text)
      expect(parsed.ok ? '' : parsed.reason).to.contain(reason)
    })
  }
})

describe('splitAuditEntry', () => {
  it('removes only the sequence number, for any strings', () => {
    fc.assert(
      fc.property(anyEntryFields, (fields) => {
        const [before, after] = splitAuditEntry(writeAuditEntry({ ...fields, seq: 0 }))
        expect(`${before}${fields.seq}${after}`).to.equal(writeAuditEntry(fields))
      }),
      { numRuns: 500 },
    )
  })

  it('is not misled by texts that look like the sequence number', () => {
    const [fields] = fc.sample(anyEntryFields, 1)
    if (fields === undefined) throw new Error('there is no sample')
    const odd = { ...fields, agentId: '"seq":0,', subject: { '"seq":0,': '"seq":0,', seq: '0,' } }
    const [before, after] = splitAuditEntry(writeAuditEntry({ ...odd, seq: 0 }))
    expect(`${before}9${after}`).to.equal(writeAuditEntry({ ...odd, seq: 9 }))
  })

  it('rejects an entry with another sequence number than zero', () => {
    expect(() => splitAuditEntry('{"seq":10,"time":""}')).to.throw(
      'only an entry with the sequence number 0 can be split',
    )
  })
})
