import { expect } from 'chai'
import { createApprovalStore } from '../../../../server/store/approvals/approvalStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const NOW = Date.UTC(2026, 0, 5)
const ATTEMPT = { agentId: 'SVC-1', attemptId: 'an-attempt' }

describe('what the request of an attempt proved that was held', () => {
  let temporary: TemporaryDatabase
  before(async () => {
    temporary = await openTemporaryDatabase()
  })
  after(() => temporary?.remove())

  const hold = (endpointId: string | null, counterpartyOwnerId: string, identityProof: string) =>
    temporary.db.query('step_up_approvals').insert({
      id: `approval at ${endpointId} of ${counterpartyOwnerId}`,
      agent_id: ATTEMPT.agentId,
      attempt_id: ATTEMPT.attemptId,
      endpoint_id: endpointId,
      counterparty_owner_id: counterpartyOwnerId,
      ...{ owner_id: 'SVCD-1', api_key_id: 'key', request_hash: 'hash', challenge_salt: '00' },
      request: JSON.stringify({ identityProof }),
      ...{ dimensions: '[]', needs_fresh_assertion: false, status: 'pending' },
      ...{ created_at: NOW, expires_at: NOW + 1 },
    })
  const read = (endpointId: string | null, counterpartyOwnerId: string) =>
    createApprovalStore(temporary.db.query).heldProof({ ...ATTEMPT, endpointId, counterpartyOwnerId }, NOW)

  it('is read of the endpoint, whoever owns it by now, and without one of its owner', async () => {
    await hold('endpoint', 'SVCO-1', 'challenge')
    await hold(null, 'SVCO-1', 'signature')
    await hold(null, 'SVCO-2', 'token')
    expect(await read('endpoint', 'SVCO-2')).to.equal('challenge')
    expect(await read(null, 'SVCO-1')).to.equal('signature')
    expect(await read(null, 'SVCO-2')).to.equal('token')
    expect(await read(null, 'SVCO-3')).to.equal(null)
    expect(await read('another endpoint', 'SVCO-1')).to.equal(null)
  })
})
