import { expect } from 'chai'
import { createOwnerContactsStore } from '../../../../server/store/approvals/ownerContactsStore.ts'
import { createInterventionStore } from '../../../../server/store/operator/interventionStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const ORGANIZATION = 'SVCO-acme'

describe('ownerContactsStore', () => {
  let database: TemporaryDatabase

  beforeEach(async () => {
    database = await openTemporaryDatabase()
    const { query } = database.db
    const organization = { id: ORGANIZATION, name: 'Acme', created_by: 'owner', created_at: 1 }
    for (const id of ['owner', 'admin', 'member', 'viewer', 'left']) {
      const user = {
        id,
        developer_id: `SVCD-${id}`,
        email: `${id}@acme.io`,
        account_type: 'business',
        created_at: 1,
      }
      await query('users').insert(user)
    }
    await query('organizations').insert(organization)
    for (const [user_id, role, status] of [
      ['owner', 'owner', 'active'],
      ['admin', 'admin', 'active'],
      ['member', 'member', 'active'],
      ['viewer', 'viewer', 'active'],
      ['left', 'owner', 'suspended'],
    ]) {
      await query('memberships').insert({
        organization_id: ORGANIZATION,
        user_id,
        role,
        status,
        created_at: 1,
      })
    }
  })
  afterEach(() => database.remove())

  const contacts = () => createOwnerContactsStore(database.db.query)
  const suspend = (subjectId: string) =>
    database.db.transaction((trx) =>
      createInterventionStore(trx).insert(trx, { subjectId, reason: 'A', decidedBy: 'SVCD-a', decidedAt: 1 }),
    )
  const namesOf = (people: { userId: string }[]) => people.map(({ userId }) => userId)

  it('finds the members of an organisation who may write, and the developer', async () => {
    expect(namesOf(await contacts().writersOf(ORGANIZATION))).to.deep.equal(['admin', 'member', 'owner'])
    expect(namesOf(await contacts().writersOf('SVCD-viewer'))).to.deep.equal(['viewer'])
  })

  it('omits those who are suspended, and everybody in a suspended organisation', async () => {
    await suspend('SVCD-admin')
    expect(namesOf(await contacts().writersOf(ORGANIZATION))).to.deep.equal(['member', 'owner'])
    expect(await contacts().writersOf('SVCD-admin')).to.deep.equal([])
    await suspend(ORGANIZATION)
    expect(await contacts().writersOf(ORGANIZATION)).to.deep.equal([])
    expect(namesOf(await contacts().writersOf('SVCD-member'))).to.deep.equal(['member'])
  })

  it('finds the owners and admins for what an operator does, suspended or not', async () => {
    for (const subject of ['SVCD-admin', ORGANIZATION]) await suspend(subject)
    expect(namesOf(await contacts().managersOf(ORGANIZATION))).to.deep.equal(['admin', 'owner'])
  })
})
