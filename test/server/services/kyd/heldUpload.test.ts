import { expect } from 'chai'
import { createUploadGate } from '../../../../server/services/kyd/createUploadGate.ts'
import { submitKyd } from '../../../../server/services/kyd/submitKyd.ts'
import { KYD_PARTS } from '../../../builders/postKyd.ts'
import { type OpenAccounts, openAccounts } from '../accounts/openAccounts.ts'
import { type Person, register } from '../accounts/person.ts'

const UPLOAD = {
  files: Object.fromEntries(
    KYD_PARTS.flatMap(([name, part]) => (typeof part === 'string' ? [] : [[name, part]])),
  ),
  fields: Object.fromEntries(
    KYD_PARTS.flatMap(([name, part]) => (typeof part === 'string' ? [[name, part]] : [])),
  ),
}

describe('documents that arrive slowly', () => {
  let accounts: OpenAccounts
  let owner: Person
  let people = 0

  before(async () => {
    accounts = await openAccounts()
  })
  beforeEach(async () => {
    people += 1
    owner = await register(accounts, `applicant${people}`)
  })
  after(() => accounts?.close())

  /** Submits the documents; `meanwhile` happens after the request was authenticated and before they are complete. */
  async function submit(meanwhile: () => Promise<unknown>): Promise<string> {
    const { parts, db, time } = accounts
    const principal = await accounts.authenticators.accessToken(owner.accessToken, undefined, time.now)
    if (principal?.kind !== 'session') throw new Error('expected a session')
    const deps = {
      ...parts,
      db,
      boxes: { documents: { seal: () => new Uint8Array([1]) }, secrets: { seal: () => 'sealed' } },
      gate: createUploadGate(),
      budget: { take: () => undefined },
    }
    const read = async () => {
      await meanwhile()
      return UPLOAD
    }
    return submitKyd(deps, { principal, read, now: time.now }).then(
      ({ status }) => status,
      ({ code }) => code,
    )
  }
  const stored = async () =>
    (await accounts.db.query('kyd_cases').select('id').where({ user_id: owner.userId })).length

  it('are stored', async () => {
    expect([await submit(async () => undefined), await stored()]).to.deep.equal(['pending', 1])
  })

  it('are not stored after their session has ended elsewhere', async () => {
    const end = () => accounts.db.query('sessions').update({ ended_at: 1 }).where({ user_id: owner.userId })
    expect([await submit(end), await stored()]).to.deep.equal(['UNAUTHENTICATED', 0])
  })

  it('are not stored after their account was suspended', async () => {
    const suspend = () =>
      accounts.db
        .query('interventions')
        .insert({ subject_id: owner.developerId, reason: 'A reason', decided_by: 'SVCD-1', decided_at: 1 })
    expect([await submit(suspend), await stored()]).to.deep.equal(['ACCOUNT_SUSPENDED', 0])
  })
})
