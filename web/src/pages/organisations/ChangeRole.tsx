import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import type { Member } from '@svc/core/contract/accounts.ts'
import type { MemberRole } from '@svc/core/memberRole.ts'
import { type FormEvent, useState } from 'react'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { roles } from './members.ts'

type Props = {
  member: Member
  isOwn: boolean
  /** The roles that the caller may assign. */
  assignable: readonly MemberRole[]
  change: { isPending: boolean; error: unknown }
  onChange: (role: MemberRole) => void
  onClose: () => void
}

/** Changes the role of a member or invitee. */
export function ChangeRole({ member, isOwn, assignable, change, onChange, onClose }: Props) {
  const [role, setRole] = useState(member.role)
  const options = roles.filter(({ value }) => assignable.includes(value))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(role)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          label="Role"
          data={options}
          value={role}
          onChange={(event) => {
            const chosen = options.find(({ value }) => value === event.currentTarget.value)
            if (chosen) setRole(chosen.value)
          }}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          {isOwn
            ? 'This is your own role. With a lower role you cannot restore it yourself.'
            : 'Takes effect with the next request, including requests with API keys.'}
        </Text>
        <FailureNote error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={role === member.role}>
            Change role
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
