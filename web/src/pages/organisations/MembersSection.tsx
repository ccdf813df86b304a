import { Box, Modal, Text } from '@mantine/core'
import type { Member, Organization } from '@svc/core/contract/accounts.ts'
import { listManagedRoles, type MemberRole } from '@svc/core/memberRole.ts'
import { useRef, useState } from 'react'
import type { Resource } from '../../api/call.ts'
import { membershipResources } from '../../api/membershipResources.ts'
import { useApiList } from '../../api/useApiList.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { revealText } from '../../parts/code/revealText.ts'
import { Rows } from '../../parts/lists/Rows.tsx'
import { Section } from '../../parts/Section.tsx'
import { navigate } from '../../router/navigate.ts'
import { ChangeRole } from './ChangeRole.tsx'
import { MemberRow } from './MemberRow.tsx'
import { buildMemberQuestion, type Change } from './memberQuestion.ts'
import { listMemberActions, type MemberAction, nameOf } from './members.ts'

type Pending = { member: Member; action: MemberAction }

type Props = { organisation: Organization; caller: { userId: string; role: MemberRole } }

/** The members and invitees of an organisation, with the actions on each. */
export function MembersSection({ organisation, caller }: Props) {
  const id = organisation.organizationId
  const query = useApiList('GET /api/organizations/:id/members', { params: { id } })
  const [pending, setPending] = useState<Pending | null>(null)
  const [done, setDone] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const isOwn = pending?.member.userId === caller.userId
  const finish = () => {
    if (pending?.action === 'leave') return navigate('/organisations', { replace: true })
    if (pending) setDone(describeDone(pending))
    setPending(null)
    // The row with the pressed button may be gone.
    list.current?.focus()
  }
  // Someone who has left can no longer read the members.
  const invalidates: readonly Resource[] =
    pending?.action === 'leave'
      ? membershipResources
      : [
          ['GET /api/organizations/:id/members', { id }],
          ...(isOwn ? membershipResources : ['GET /api/api-keys' as const]),
        ]
  const edit = useApiMutation('PATCH /api/organizations/:id/members/:userId', { invalidates, onDone: finish })
  const removal = useApiMutation('DELETE /api/organizations/:id/members/:userId', {
    invalidates,
    onDone: finish,
  })
  const ask = (member: Member, action: MemberAction) => {
    edit.reset()
    removal.reset()
    setDone('')
    setPending({ member, action })
  }
  const owners = query.items.filter(({ role, status }) => role === 'owner' && status === 'active')
  // The founder is last in the list: until the whole list is loaded, only the service can tell.
  const isLastOwner = (member: Member) => !query.hasNextPage && owners.length === 1 && owners[0] === member
  const question = pending && buildMemberQuestion(pending.action, pending.member, organisation.name)
  const send = (change: Change) => {
    if (pending === null) return
    const params = { id, userId: pending.member.id }
    if (change === 'remove') removal.mutate({ params })
    else edit.mutate({ params, body: change })
  }
  return (
    <Section title="Members" description={describeSection(caller.role)}>
      <Text role="status" size="sm" display={done === '' ? 'none' : undefined}>
        {done}
      </Text>
      <Box ref={list} tabIndex={-1} style={{ outline: 'none' }} role="group" aria-label="List of members">
        <Rows query={query} empty={<Text c="dimmed">None.</Text>}>
          {(member) => (
            <MemberRow
              key={member.id}
              member={member}
              isOwn={member.userId === caller.userId}
              isLastOwner={isLastOwner(member)}
              actions={listMemberActions(caller, member, isLastOwner(member))}
              onAsk={(action) => ask(member, action)}
            />
          )}
        </Rows>
      </Box>
      <ConfirmModal
        opened={question !== null}
        title={question?.title ?? ''}
        action={question?.action ?? ''}
        change={question?.change === 'remove' ? removal : edit}
        onClose={() => setPending(null)}
        onConfirm={() => question && send(question.change)}
      >
        {question?.consequences}
      </ConfirmModal>
      <Modal
        opened={pending?.action === 'changeRole'}
        onClose={() => setPending(null)}
        title={`Role of ${pending ? revealText(nameOf(pending.member)) : ''}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {pending && (
          <ChangeRole
            member={pending.member}
            isOwn={isOwn}
            assignable={listManagedRoles(caller.role)}
            change={edit}
            onChange={(role) => send({ role })}
            onClose={() => setPending(null)}
          />
        )}
      </Modal>
    </Section>
  )
}

const DONE: Record<MemberAction, string> = {
  changeRole: 'has a new role.',
  suspend: 'is suspended.',
  reinstate: 'is active again.',
  remove: 'has been removed.',
  takeBack: 'is no longer invited.',
  leave: 'has left.',
}

function describeDone({ member, action }: Pending): string {
  return `${revealText(nameOf(member))} ${DONE[action]}`
}

function describeSection(role: MemberRole): string {
  if (role === 'owner') return 'The people who act for the organisation, and pending invitations.'
  if (role === 'admin')
    return 'The people who act for the organisation, and pending invitations. Only owners can manage owners and admins.'
  return 'The people who act for the organisation. Owners and admins manage them.'
}
