import { expect } from 'chai'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { PROBE, type RecordIntent } from '../../../../server/store/recorder/recorder.ts'
import { buildCounterQuery } from '../../../builders/buildCounterQuery.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { recordStatements } from '../../../harness/database/recordStatements.ts'

const AGENT = 'SVC-0000000000000000000001'

const plain: RecordIntent<null> = {
  counters: null,
  approval: null,
  decide: () => commitmentOf([buildRecord()], null),
}

const counted: RecordIntent<null> = {
  counters: buildCounterQuery({ agentScope: AGENT }),
  approval: { agentId: AGENT, endpointId: null, counterpartyOwnerId: 'SVCO-1', attemptId: 'an-attempt' },
  decide: () => ({
    ...commitmentOf([buildRecord()], null),
    grants: [{ scope: AGENT, grantedAt: 1, since: 0 }],
  }),
}

describe('a recorder with portable features', () => {
  before(function () {
    if (!testsPostgres) this.skip()
  })

  it('calls no function of PostgreSQL for locks, notifications or the write-ahead log', async () => {
    const { openRecorder, remove } = await openTemporaryDatabase('postgres', 'portable')
    const recorder = openRecorder()
    const { statements } = await recordStatements(async () => {
      for (const intent of [PROBE, plain, counted]) await recorder.record(intent)
    })
    await recorder.close()
    await remove()
    const sent = statements.flatMap(({ connection, text }) => (connection === 'svc-recorder' ? [text] : []))
    expect(sent.filter((text) => text === 'COMMIT')).to.have.length(3)
    const special = /pg_logical|pg_advisory|pg_notify|synchronous_commit/
    expect(sent.filter((text) => special.test(text))).to.deep.equal([])
  })
})
