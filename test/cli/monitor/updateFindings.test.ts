import { expect } from 'chai'
import { createFinding } from '../../../cli/monitor/findings.ts'
import { updateFindings } from '../../../cli/monitor/updateFindings.ts'

const LOG = `0x${'11'.repeat(32)}`

describe('the findings of the monitor', () => {
  const findingsOf = (...ids: string[]) => ids.map((id) => ({ ...createFinding(id, id), log: LOG }))
  const junk = (count: number, name = 'junk') =>
    findingsOf(...Array.from({ length: count }, (_, i) => `handover:${name}${i}`))
  const everything = new Set([LOG, null])
  const start = (...ids: string[]) =>
    updateFindings({}, { findings: findingsOf(...ids), checked: everything }, 1).findings

  it('keep the worst ones, whatever else a service shows', () => {
    const { findings } = updateFindings(
      {},
      { findings: [...junk(200), ...findingsOf('rewritten')], checked: everything },
      1,
    )
    expect(Object.keys(findings)).to.have.length(100)
    expect(Object.keys(findings)[0]).to.equal(`rewritten ${LOG}`)
  })

  it('make room for a bad one among those that could not be checked again', () => {
    const full = updateFindings({}, { findings: junk(100), checked: everything }, 1).findings
    const look = { findings: [...junk(100, 'more'), ...findingsOf('rewritten')], checked: new Set<string>() }
    const { findings, ended } = updateFindings(full, look, 2)
    expect(Object.keys(findings)).to.have.length(100)
    expect(Object.keys(findings)[0]).to.equal(`rewritten ${LOG}`)
    expect(Object.keys(findings).filter((key) => key.includes('more'))).to.deep.equal([])
    expect(ended).to.deep.equal([])
  })

  for (const id of ['rewritten', 'anchor', 'repeated:x']) {
    it(`keep ${id} when the former view is back`, () => {
      const { findings, ended } = updateFindings(start(id), { findings: [], checked: everything }, 2)
      expect([Object.keys(findings), ended]).to.deep.equal([[`${id} ${LOG}`], []])
    })
  }

  it('end when everything about their log was checked', () => {
    const before = start('checkpoint')
    expect(updateFindings(before, { findings: [], checked: new Set([null]) }, 2).ended).to.deep.equal([])
    const { findings, ended } = updateFindings(before, { findings: [], checked: new Set([LOG]) }, 2)
    expect([findings, ended.map(({ id }) => id)]).to.deep.equal([{}, ['checkpoint']])
  })

  it('have the whole longest checkpoint as evidence, and say when a document is cut', () => {
    const evidence = ['a'.repeat(65_536), 'b'.repeat(65_537)]
    const look = {
      findings: [{ ...createFinding('rewritten', 'x', evidence), log: LOG }],
      checked: everything,
    }
    const [finding] = Object.values(updateFindings({}, look, 1).findings)
    expect(finding?.evidence[0]).to.equal(evidence[0])
    expect(finding?.evidence[1]).to.equal(`${'b'.repeat(65_536)}\n[cut; it has 65537 characters]`)
  })
})
