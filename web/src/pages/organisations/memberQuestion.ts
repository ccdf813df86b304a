import type { Member } from '../../api/types.ts'
import { visibleText } from '../../parts/visibleText.ts'
import { type MemberAction, nameOf } from './members.ts'

/** What is asked before something is done about a member, and what then is. */
export type Question = {
  title: string
  /** What follows from it. */
  follows: string
  /** The words of the button. */
  action: string
  request: { method: 'PATCH' | 'DELETE'; body?: object }
}

/** The question before an action; null for the role, which has a form. */
export function memberQuestion(action: MemberAction, member: Member, organisation: string): Question | null {
  const name = visibleText(nameOf(member))
  const [from, address] = [visibleText(organisation), visibleText(member.email ?? name)]
  switch (action) {
    case 'changeRole':
      return null
    case 'suspend':
      return {
        title: `Suspend ${name}?`,
        follows: `Sessions and API keys of ${name} no longer act for ${from} from then on, until you reinstate them.`,
        action: 'Suspend',
        request: { method: 'PATCH', body: { status: 'suspended' } },
      }
    case 'reinstate':
      return {
        title: `Reinstate ${name}?`,
        follows: `Sessions and API keys of ${name} act for ${from} again, in the role of before.`,
        action: 'Reinstate',
        request: { method: 'PATCH', body: { status: 'active' } },
      }
    case 'remove':
      return {
        title: `Remove ${name}?`,
        follows: `${name} no longer acts for ${from}, and the API keys they made there are revoked for good. They may be invited again.`,
        action: 'Remove',
        request: { method: 'DELETE' },
      }
    case 'takeBack':
      return {
        title: 'Take the invitation back?',
        follows: `The link that was mailed to ${address} is good for nothing from then on. They may be invited again.`,
        action: 'Take it back',
        request: { method: 'DELETE' },
      }
    case 'leave':
      return {
        title: `Leave ${from}?`,
        follows: `You no longer see its agents and endpoints, and the API keys you made there are revoked for good. Only an invitation brings you back.`,
        action: 'Leave',
        request: { method: 'DELETE' },
      }
  }
}
