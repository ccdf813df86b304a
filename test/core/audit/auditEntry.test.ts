import { type AuditEntryFields, parseAuditEntry, writeAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { anyEntryFields } from './anyEntryFields.ts'
import { buildAuditEntryFields } from './buildAuditEntryFields.ts'

/** Writes the same entry the slow way: drops absent members and lets the general writer sort. */
function naiveEntry(fields: AuditEntryFields): string {
  const optional = ['sessionId', 'correlationId', 'subject']
  const members = Object.entries(fields).filter(([name, value]) => value || !optional.includes(name))
  return canonicaliseJson({ ...Object.fromEntries(members), version: fields.seq === undefined ? 2 : 1 })
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
        '"recordId":"0199c1a0-0000-7000-8000-000000000007","salt":"000102030405060708090a0b0c0d0e0f",' +
        '"sessionId":"7b1f4a52-6a0c-4b61-9f5c-0d0f3a1e2b3c","time":"2025-11-20T10:00:00.000Z",' +
        '"type":"verification.completed","version":2}',
    )
  })

  it('writes an entry with its place as the former releases did', () => {
    const former = writeAuditEntry(buildAuditEntryFields({ seq: 7 }))
    const withoutPlace = former.replace('"seq":7,', '').replace('"version":1', '"version":2')
    expect(former).to.match(/"salt":"[0-9a-f]{32}","seq":7,"sessionId":/)
    expect(withoutPlace).to.equal(writeAuditEntry(buildAuditEntryFields()))
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
    const placed = { ...fields, seq: 7 }
    expect(parseAuditEntry(writeAuditEntry(fields))).to.deep.equal({ ok: true, entry: fields })
    expect(parseAuditEntry(writeAuditEntry(placed))).to.deep.equal({ ok: true, entry: placed })
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

  it('refuses an entry that would take long to refuse for each of its faults', () => {
    const text = JSON.stringify({ version: 2, dimensions: Array(1_000_000).fill(1) })
    expect(parseAuditEntry(text)).to.deep.equal({
      ok: false,
      reason: 'the entry is longer than 65536 characters',
    })
  })

  it('returns the hash of a receipt, and refuses one that is not a hash', () => {
    const hash = `0x${'ef'.repeat(32)}`
    const issued = { ...fields, receiptHash: hash, mandateHash: hash }
    expect(parseAuditEntry(writeAuditEntry(issued))).to.deep.equal({ ok: true, entry: issued })
    expect(parseAuditEntry(writeAuditEntry({ ...fields, receiptHash: '0xEF' }))).to.include({ ok: false })
  })

  const refused: readonly (readonly [string, string, string])[] = [
    ['text that is not JSON', '{', 'not JSON'],
    ['an unknown version', writeAuditEntry(fields).replace('"version":2', '"version":3'), 'version'],
    ['version 1 without a place', writeAuditEntry(fields).replace('"version":2', '"version":1'), 'seq'],
    [
      'version 2 with a place',
      writeAuditEntry({ ...fields, seq: 7 }).replace('"version":1', '"version":2'),
      'Unrecognized key: "seq"',
    ],
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
