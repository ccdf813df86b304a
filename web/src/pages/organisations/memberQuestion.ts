import type { Member } from '@svc/core/contract/accounts.ts'
import type { BodyOf } from '@svc/core/contract/operations.ts'
import { revealText } from '../../parts/code/revealText.ts'
import { type MemberAction, nameOf } from './members.ts'

/** A change of a member; the removal also withdraws an invitation. */
export type Change = BodyOf<'PATCH /api/organizations/:id/members/:userId'> | 'remove'

/** A confirmation to show before an action on a member, and the change to make once confirmed. */
export type Question = {
  title: string
  /** What the action entails. */
  consequences: string
  /** Label of the confirming button. */
  action: string
  change: Change
}

/** Builds the confirmation for an action; null for a change of role, which has its own form. */
export function buildMemberQuestion(
  action: MemberAction,
  member: Member,
  organisation: string,
): Question | null {
  const name = revealText(nameOf(member))
  const [from, address] = [revealText(organisation), revealText(member.email ?? name)]
  switch (action) {
    case 'changeRole':
      return null
    case 'suspend':
      return {
        title: `Suspend ${name}?`,
        consequences: `The sessions and API keys of ${name} can no longer act for ${from} until you reinstate them.`,
        action: 'Suspend',
        change: { status: 'suspended' },
      }
    case 'reinstate':
      return {
        title: `Reinstate ${name}?`,
        consequences: `The sessions and API keys of ${name} can act for ${from} again, with the same role as before.`,
        action: 'Reinstate',
        change: { status: 'active' },
      }
    case 'remove':
      return {
        title: `Remove ${name}?`,
        consequences: `${name} can no longer act for ${from}, and the API keys they created there are revoked permanently. You can invite them again.`,
        action: 'Remove',
        change: 'remove',
      }
    case 'takeBack':
      return {
        title: 'Withdraw the invitation?',
        consequences: `The link sent to ${address} will stop working. You can invite them again.`,
        action: 'Withdraw',
        change: 'remove',
      }
    case 'leave':
      return {
        title: `Leave ${from}?`,
        consequences: `You will lose access to its agents and endpoints, and the API keys you created there are revoked permanently. You need an invitation to rejoin.`,
        action: 'Leave',
        change: 'remove',
      }
  }
}
