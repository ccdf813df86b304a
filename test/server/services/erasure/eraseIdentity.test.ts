import { expect } from 'chai'
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
