import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type ErasureScene, openErasureScene } from './openErasureScene.ts'

type Owner = Awaited<ReturnType<ErasureScene['owner']>>

describe('an organisation whose only owner is erased', function () {
  this.timeout(120_000)
  let scene: ErasureScene
  let people: { suspended: Owner; leaving: Owner; staying: Owner }
  const organizations = { withNobodyActive: '', withMembers: '' }

  const rows = <Row>(sql: string, ...values: unknown[]) => scene.current().rows<Row>(sql, ...values)
  const rolesIn = async (organizationId: string) => {
    const found = await rows<{ user_id: string; role: string; status: string }>(
      'SELECT user_id, role, status FROM memberships WHERE organization_id = ?',
      organizationId,
    )
    return Object.fromEntries(found.map(({ user_id, role, status }) => [user_id, `${status} ${role}`]))
  }
  const creatorOf = async (organizationId: string) =>
    (
      await rows<{ name: string; created_by: string }>(
        'SELECT name, created_by FROM organizations WHERE id = ?',
        organizationId,
      )
    )[0]

  before(async () => {
    scene = await openErasureScene()
    const join = () => scene.owner({ withPasskey: false })
    const owner = await join()
    const [suspended, leaving, staying] = [await join(), await join(), await join()]
    people = { suspended, leaving, staying }
    organizations.withNobodyActive = await owner.organizationWith([[suspended, 'admin']])
    organizations.withMembers = await owner.organizationWith([
      [suspended, 'admin'],
      [leaving, 'member'],
      [staying, 'viewer'],
    ])
    await scene.store(`UPDATE memberships SET status = 'suspended' WHERE user_id = ?`, suspended.userId)
    // Nobody else is an owner, which a request would refuse: as if the last one had left since.
    const erasure = (userId: string, eraseAt: number) =>
      scene.store(
        `INSERT INTO account_erasures (user_id, requested_at, erase_at, step) VALUES (?, 0, ?, 'identity')`,
        userId,
        eraseAt,
      )
    await erasure(owner.userId, scene.time.now)
    await erasure(leaving.userId, scene.time.now * 2)
    await scene.restart()
    await scene.untilErased(owner.userId)
  })
  after(() => scene?.remove())

  it('goes to an active member who stays, before one who is about to be erased', async () => {
    expect(await rolesIn(organizations.withMembers)).to.deep.equal({
      [people.suspended.userId]: 'suspended admin',
      [people.leaving.userId]: 'active member',
      [people.staying.userId]: 'active owner',
    })
    expect((await creatorOf(organizations.withMembers))?.created_by).to.equal(people.staying.userId)
  })

  it('never goes to a suspended member, and ends if nobody else belongs to it', async () => {
    expect(await rolesIn(organizations.withNobodyActive)).to.deep.equal({})
    expect((await creatorOf(organizations.withNobodyActive))?.name).to.equal('Erased')
  })
})

describe('the mails of an erased person', function () {
  this.timeout(120_000)
  let scene: ErasureScene
  before(async () => {
    scene = await openErasureScene()
  })
  after(() => scene?.remove())

  const mails = () =>
    readdirSync(join(scene.dataDir, 'mail')).map((name) => join(scene.dataDir, 'mail', name))
  const mailsTo = (address: string) =>
    mails().filter((file) => readFileSync(file, 'utf8').includes(`To: ${address}\r\n`))

  it('are deleted from their folder, and those to others are not', async () => {
    const [erased, other] = [
      await scene.owner({ withPasskey: false }),
      await scene.owner({ withPasskey: false }),
    ]
    await waitUntil(async () =>
      mailsTo(erased.email).length * mailsTo(other.email).length > 0 ? true : null,
    )
    await scene.store(
      `INSERT INTO account_erasures (user_id, requested_at, erase_at, step) VALUES (?, 0, ?, 'identity')`,
      erased.userId,
      scene.time.now,
    )
    // None is deleted for its age.
    await scene.restart(() => {
      for (const file of mails()) utimesSync(file, scene.time.now, scene.time.now)
    })
    await scene.untilErased(erased.userId)
    await waitUntil(async () => (mailsTo(erased.email).length === 0 ? true : null))
    expect(mailsTo(other.email)).not.to.deep.equal([])
  })
})
