import { Box, Modal, Text } from '@mantine/core'
import { type MemberRole, rolesManagedBy } from '@svc/core/memberRole.ts'
import { useRef, useState } from 'react'
import type { Member, Organization } from '../../api/types.ts'
import { useApiList } from '../../api/useApiList.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { Rows } from '../../parts/Rows.tsx'
import { Section } from '../../parts/Section.tsx'
import { visibleText } from '../../parts/visibleText.ts'
import { navigate } from '../../router/navigate.ts'
import { ChangeRole } from './ChangeRole.tsx'
import { MemberRow } from './MemberRow.tsx'
import { memberQuestion, type Question } from './memberQuestion.ts'
import { type MemberAction, memberActions, nameOf } from './members.ts'

/** What shows the organisations of the account, or what it sees through them. */
const OWN = ['/api/me', '/api/organizations', '/api/api-keys', '/api/endpoints', '/api/agents']

type Asked = { member: Member; action: MemberAction }

type Props = { organisation: Organization; caller: { userId: string; role: MemberRole } }

/** Who is in an organisation and who is invited: to change a role, to suspend, to take somebody out, to leave. */
export function MembersSection({ organisation, caller }: Props) {
  const path = `/api/organizations/${organisation.organizationId}/members`
  const query = useApiList<Member>(path)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [done, setDone] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const isOwn = asked?.member.userId === caller.userId
  const finish = () => {
    if (asked?.action === 'leave') return navigate('/organisations', { replace: true })
    if (asked) setDone(doneInWords(asked))
    setAsked(null)
    // The button that was pressed may be gone with its row.
    list.current?.focus()
  }
  const change = useApiMutation({
    // Who has left reads the members no more.
    invalidates: asked?.action === 'leave' ? OWN : [path, ...(isOwn ? OWN : ['/api/api-keys'])],
    onDone: finish,
  })
  const ask = (member: Member, action: MemberAction) => {
    change.reset()
    setDone('')
    setAsked({ member, action })
  }
  const owners = query.items.filter(({ role, status }) => role === 'owner' && status === 'active')
  // The founder stands at the end of the list; before that is read, the service alone knows.
  const isLastOwner = (member: Member) => !query.hasNextPage && owners.length === 1 && owners[0] === member
  const question = asked && memberQuestion(asked.action, asked.member, organisation.name)
  const send = ({ method, body }: Question['request']) =>
    asked && change.mutate({ method, path: `${path}/${asked.member.id}`, ...(body ? { body } : {}) })
  return (
    <Section title="Members" description={aboutOf(caller.role)}>
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
              actions={memberActions(caller, member, isLastOwner(member))}
              onAsk={(action) => ask(member, action)}
            />
          )}
        </Rows>
      </Box>
      <ConfirmModal
        opened={question !== null}
        title={question?.title ?? ''}
        action={question?.action ?? ''}
        change={change}
        onClose={() => setAsked(null)}
        onConfirm={() => question && send(question.request)}
      >
        {question?.follows}
      </ConfirmModal>
      <Modal
        opened={asked?.action === 'changeRole'}
        onClose={() => setAsked(null)}
        title={`Role of ${asked ? visibleText(nameOf(asked.member)) : ''}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {asked && (
          <ChangeRole
            member={asked.member}
            isOwn={isOwn}
            given={rolesManagedBy(caller.role)}
            change={change}
            onChange={(role) => send({ method: 'PATCH', body: { role } })}
            onClose={() => setAsked(null)}
          />
        )}
      </Modal>
    </Section>
  )
}

const DONE: Record<MemberAction, string> = {
  changeRole: 'has another role now.',
  suspend: 'is suspended.',
  reinstate: 'is active again.',
  remove: 'is no longer in it.',
  takeBack: 'is no longer invited.',
  leave: 'has left.',
}

function doneInWords({ member, action }: Asked): string {
  return `${visibleText(nameOf(member))} ${DONE[action]}`
}

function aboutOf(role: MemberRole): string {
  if (role === 'owner') return 'Who acts for the organisation, and who is invited to.'
  if (role === 'admin')
    return 'Who acts for the organisation, and who is invited to. Owners and admins are managed by an owner.'
  return 'Who acts for the organisation. Its owners and admins change that.'
}
