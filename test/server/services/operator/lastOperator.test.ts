import { expect } from 'chai'
import { composeOperator } from '../../../../server/compose/composeOperator.ts'
import { createRandomPool } from '../../../../server/external/randomPool.ts'
import { changeAccountStanding } from '../../../../server/services/operator/changeAccountStanding.ts'
import { createReadThroughCache } from '../../../../server/services/readThroughCache.ts'
import type { Session } from '../../../../server/store/accounts/sessionStore.ts'
import { SESSION_PRINCIPAL } from '../../../builders/sessionPrincipal.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

describe('the last operator', () => {
  let database: TemporaryDatabase
  let operator: ReturnType<typeof composeOperator>

  before(async () => {
    database = await openTemporaryDatabase()
    const { db } = database
    const sessions = createReadThroughCache<Session>({ max: 1, load: async () => null })
    operator = composeOperator({
      db,
      config: { appUrl: 'https://app.svc.test', supportContact: null },
      randomBytes: createRandomPool(),
      platforms: { list: [] },
      accounts: { caches: { sessions } },
      caches: {
        onStandingChanged: () => undefined,
        onAgentChanged: () => undefined,
        onTierChanged: async () => undefined,
      },
      notices: { onMailQueued: () => undefined },
    })
    for (const [id, role] of [
      ['asking', 'user'],
      ['first', 'operator'],
      ['second', 'operator'],
    ]) {
      await db
        .query('users')
        .insert({ id, developer_id: `SVCD-${id}`, account_type: 'individual', role, created_at: 1 })
    }
    const session = { id: 'session', user_id: 'asking', amr: '[]', authenticated_at: 1, last_used_at: 1 }
    await db.query('sessions').insert(session)
  })
  after(() => database?.remove())

  /** Asked by somebody who has lost the role since the request was authenticated. */
  const change = (step: 'suspend' | 'resume', id: string) =>
    changeAccountStanding(operator, step, {
      ...{ id, reason: 'A reason.', now: 1 },
      principal: { ...SESSION_PRINCIPAL, userId: 'asking', developerId: 'SVCD-asking' },
    }).then(
      ({ status }) => status,
      ({ code }) => code,
    )

  it('cannot be suspended, whoever asks, until there is another', async () => {
    expect(await change('suspend', 'first')).to.equal('suspended')
    expect(await change('suspend', 'second')).to.equal('INVALID_STATE')
    expect(await change('resume', 'first')).to.equal('active')
    expect(await change('suspend', 'second')).to.equal('suspended')
  })
})
