import type { Member } from '@svc/core/contract/accounts.ts'
import type { MemberRole } from '@svc/core/memberRole.ts'
import { expect } from 'chai'
import { listMemberActions } from '../../../../web/src/pages/organisations/members.ts'

describe('listMemberActions', () => {
  const offered = (caller: MemberRole, role: MemberRole, status: Member['status'] = 'active') =>
    listMemberActions({ userId: 'ada', role: caller }, { userId: 'ben', role, status }, false)
  const own = (role: MemberRole, isLastOwner: boolean) =>
    listMemberActions({ userId: 'ada', role }, { userId: 'ada', role, status: 'active' }, isLastOwner)

  it('offers everything to owners, and to admins for members and viewers', () => {
    const all = ['changeRole', 'suspend', 'remove']
    for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
      expect(offered('owner', role), role).to.deep.equal(all)
    }
    expect(offered('admin', 'member')).to.deep.equal(all)
    expect(offered('admin', 'viewer')).to.deep.equal(all)
    expect(offered('admin', 'admin')).to.deep.equal([])
    expect(offered('admin', 'owner')).to.deep.equal([])
  })

  it('offers nothing to members and viewers', () => {
    expect(offered('member', 'viewer')).to.deep.equal([])
    expect(offered('viewer', 'viewer')).to.deep.equal([])
  })

  it('depends on the status of the member', () => {
    expect(offered('owner', 'member', 'invited')).to.deep.equal(['changeRole', 'takeBack'])
    expect(offered('owner', 'member', 'suspended')).to.deep.equal(['changeRole', 'reinstate', 'remove'])
  })

  it('lets everyone but the last owner leave, and owners change their own role', () => {
    expect(own('viewer', false)).to.deep.equal(['leave'])
    expect(own('admin', false)).to.deep.equal(['leave'])
    expect(own('owner', false)).to.deep.equal(['changeRole', 'leave'])
    expect(own('owner', true)).to.deep.equal([])
  })

  it('does not take an invitation for the caller’s own membership', () => {
    const invitation = { userId: null, role: 'member', status: 'invited' } as const
    expect(listMemberActions({ userId: 'ada', role: 'viewer' }, invitation, false)).to.deep.equal([])
  })
})
