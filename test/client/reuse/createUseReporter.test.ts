import { createUseReporter } from '@svc/client/reuse/createUseReporter.ts'
import type { RecordedUse, ReportedUse } from '@svc/core/contract/uses.ts'
import { expect } from 'chai'

const NOW = Date.parse('2026-06-01T12:00:00Z')

const useOf = (at = NOW): ReportedUse => ({
  ...{ useId: crypto.randomUUID(), auditRecordId: 'AUD-1', usedAt: new Date(at).toISOString() },
  ...{ nonce: crypto.randomUUID(), expires: NOW / 1000 + 300 },
})

/** A reporter to a service whose answers the test sets. */
function openReporter() {
  const batches: number[] = []
  const warnings: string[] = []
  const refused: (string | null)[] = []
  const service = {
    isDown: false,
    answer: ({ useId }: ReportedUse): RecordedUse[] => [{ useId, status: 'recorded', contradiction: null }],
  }
  const reporter = createUseReporter({
    async send(uses) {
      if (service.isDown) throw new Error('unreachable')
      batches.push(uses.length)
      return uses.flatMap((use) => service.answer(use))
    },
    onRefused: (_use, { contradiction }) => void refused.push(contradiction),
    warn: (text) => void warnings.push(text),
  })
  const addMany = (amount: number) => {
    for (let i = 0; i < amount; i += 1) reporter.add(useOf())
  }
  return { reporter, service, addMany, batches, warnings, refused }
}

describe('the reporter of uses', () => {
  it('sends at most a hundred uses at a time, in their order, and each once', async () => {
    const { reporter, addMany, batches } = openReporter()
    addMany(99)
    expect(batches).to.deep.equal([])
    await reporter.flush()
    addMany(250)
    await reporter.flush()
    await reporter.flush()
    expect(batches).to.deep.equal([99, 100, 100, 50])
  })

  it('sends a full batch at once', async () => {
    const { addMany, batches } = openReporter()
    addMany(100)
    expect(batches).to.deep.equal([100])
  })

  it('lets nothing be used with 5,000 unreported uses, or one that is half a minute old', async () => {
    const { reporter, service, addMany } = openReporter()
    service.isDown = true
    addMany(4_999)
    expect(reporter.isBlocked(NOW + 29_999)).to.equal(false)
    expect(reporter.isBlocked(NOW + 30_000)).to.equal(true)
    addMany(1)
    expect(reporter.isBlocked(NOW)).to.equal(true)
    await reporter.flush().catch(() => undefined)
    service.isDown = false
    await reporter.flush()
    expect(reporter.isBlocked(NOW + 60_000)).to.equal(false)
  })

  it('warns once of an unreachable service', async () => {
    const { reporter, service, addMany, warnings } = openReporter()
    service.isDown = true
    addMany(100)
    for (let i = 0; i < 3; i += 1) await reporter.flush().catch(() => addMany(100))
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.contain('uses of grants could not be reported')
  })

  it('keeps a use that the service does not confirm, and tells of one that it refuses', async () => {
    const { reporter, service, addMany, refused } = openReporter()
    service.answer = () => []
    addMany(1)
    const error = await reporter.flush().catch(({ message }) => message)
    expect(error).to.equal('the service does not confirm all of them')
    service.answer = ({ useId }) => [{ useId, status: 'contradicted', contradiction: 'over_value' }]
    await reporter.flush()
    await reporter.flush()
    expect(refused).to.deep.equal(['over_value'])
  })
})
